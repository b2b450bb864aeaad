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

  public init(_ raw: UInt8) {
    self =
      switch raw {
      case 0: .unspecified
      case 1: .european
      case 2: .usa
      case 4: .australiaCanada
      case 8: .eastROW
      default: .unknown(raw)
      }
  }

  /// The region with this name; unspecified for any other name.
  public init(name: String) {
    self = [.european, .usa, .australiaCanada, .eastROW].first { $0.name == name } ?? .unspecified
  }

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
