// SPDX-License-Identifier: Apache-2.0

/// The region of sale: the byte at memory offset 323, also patch info byte 3 (read: DiaBLE, cryptax; verified 1, 2, 4,
/// 8).
public enum SensorRegion: Hashable, Sendable {
  case unspecified
  case european
  case usa
  case australiaCanada
  case eastROW
  case unknown(UInt8)

  private static let documented: [(raw: UInt8, region: SensorRegion)] = [
    (1, .european), (2, .usa), (4, .australiaCanada), (8, .eastROW),
  ]

  public init(_ raw: UInt8) {
    self = Self.documented.first { $0.raw == raw }?.region ?? (raw == 0 ? .unspecified : .unknown(raw))
  }

  /// The region with this name; unspecified for any other name.
  public init(name: String) { self = Self.documented.first { $0.region.name == name }?.region ?? .unspecified }

  /// The word used in JSON.
  public var name: String {
    switch self {
    case .unspecified, .unknown: "unknown"
    case .european: "european"
    case .usa: "usa"
    case .australiaCanada: "australia_canada"
    case .eastROW: "east_row"
    }
  }
}
