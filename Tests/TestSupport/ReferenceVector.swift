// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Testing

/// One entry of INDEX.json, of which the tests read what an independent decoder found.
public struct ReferenceVector: Decodable, Sendable, CustomTestStringConvertible {
  public let file: String
  public let bytes: Int
  public let kind: String
  public let uid: String?
  public let patchInfo: String?
  public let torn: String?
  public let encrypted: Encrypted?
  public let crc: Checksums?
  /// nil for encrypted memories.
  public let decoded: Decoded?

  public var testDescription: String { file }

  public var isEncrypted: Bool { encrypted != nil }
  public var isPro: Bool { kind == "librePro" }
  /// The index calls torn what a minute that ticked and what a block that was never read leave.
  public var hasTornBody: Bool { torn?.hasPrefix("age ticked") == true }
  /// A memory of the Libre 1 layout whose body can be read: its checksum holds, if need be with the age less one.
  public var isReadable: Bool { !isEncrypted && !isPro && (crc?.body == true || hasTornBody) }

  public struct Encrypted: Decodable, Sendable {
    /// The file with the same memory in plain.
    public let decryptsTo: String
  }

  public struct Checksums: Decodable, Sendable {
    public let header: Bool
    public let body: Bool
    public let footer: Bool
    /// Of the program behind the footer; only full memories have it.
    public let commands: Bool?
  }

  /// Without rings for a Libre Pro's memory.
  public struct Decoded: Decodable, Sendable {
    public let state: Int?
    public let age: Int?
    public let initializations: Int?
    public let trendIndex: Int?
    public let historyIndex: Int?
    public let newestTrendMinute: Int?
    public let newestHistoryMinute: Int?
    public let region: Int?
    public let maxLife: Int?
    public let calibration: Calibration?
    public let eol: [EndOfLife]?
    public let trend: [Row]?
    public let history: [Row]?
    public let serial: String?
  }

  public struct Calibration: Decodable, Sendable {
    public let i1: Int?
    public let i2: Int?
    public let i3: Int?
    public let i4: Int?
    public let i5: Int?
    public let i6: Int?
  }

  public struct EndOfLife: Decodable, Sendable {
    public let code: UInt8
    public let minute: Int
  }

  /// Minute, raw glucose, error flag, low nine bits of the error field, raw temperature, adjustment, rounded mg/dL.
  public struct Row: Decodable, Sendable {
    public let minute: Int
    public let glucose: Int
    public let hasError: Bool
    public let quality: Int
    public let temperature: Int
    public let adjustment: Int
    public let milligrams: Int?

    public init(from decoder: any Decoder) throws {
      var row = try decoder.unkeyedContainer()
      minute = try row.decode(Int.self)
      glucose = try row.decode(Int.self)
      hasError = try row.decode(Bool.self)
      quality = try row.decode(Int.self)
      temperature = try row.decode(Int.self)
      adjustment = try row.decode(Int.self)
      milligrams = try row.decodeNil() ? nil : row.decode(Int.self)
    }

    /// °C by Libre1Core/Calibration, "Factory formula", with the platform's own logarithm.
    public func celsius(i6: Int) -> Double {
      let ohms = Double(temperature) * 72_500 / Double(adjustment + i6) - 1_000
      let l = log(ohms)
      return 1
        / (0.000_918_002_3 + 0.000_196_456_1 * l + 0.000_000_706_177_5 * l * l + 0.000_000_052_835_66 * l * l * l)
        - 273.15
    }
  }
}
