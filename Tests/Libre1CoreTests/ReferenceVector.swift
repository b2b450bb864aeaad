// SPDX-License-Identifier: Apache-2.0
import Testing

/// One entry of INDEX.json, of which these tests read what an independent decoder of FORMAT.md found.
struct ReferenceVector: Decodable, Sendable, CustomTestStringConvertible {
  let file: String
  let bytes: Int
  let kind: String
  let uid: String?
  let patchInfo: String?
  let torn: String?
  let encrypted: Encrypted?
  let crc: Checksums?
  /// nil for encrypted memories.
  let decoded: Decoded?

  var testDescription: String { file }

  var isPro: Bool { kind == "librePro" }
  /// The index calls torn what a minute that ticked and what a block that was never read leave.
  var hasTornBody: Bool { torn?.hasPrefix("age ticked") == true }
  /// A memory of the Libre 1 layout whose body can be read: its checksum holds, if need be with the age less one.
  var isReadable: Bool { encrypted == nil && !isPro && (crc?.body == true || hasTornBody) }

  struct Encrypted: Decodable {}

  struct Checksums: Decodable {
    let header: Bool
    let body: Bool
    let footer: Bool
    /// Of the program behind the footer; only full memories have it.
    let commands: Bool?
  }

  /// Without rings for a Libre Pro's memory.
  struct Decoded: Decodable {
    let state: Int?
    let age: Int?
    let initializations: Int?
    let trendIndex: Int?
    let historyIndex: Int?
    let newestTrendMinute: Int?
    let newestHistoryMinute: Int?
    let region: Int?
    let maxLife: Int?
    let calibration: Calibration?
    let eol: [EndOfLife]?
    let trend: [Row]?
    let history: [Row]?
    let serial: String?
  }

  struct Calibration: Decodable {
    let i1: Int?
    let i2: Int?
    let i3: Int?
    let i4: Int?
    let i5: Int?
    let i6: Int?
  }

  struct EndOfLife: Decodable {
    let code: UInt8
    let minute: Int
  }

  /// Minute, raw glucose, error flag, low nine bits of the error field, raw temperature, adjustment, rounded mg/dL.
  struct Row: Decodable {
    let minute: Int
    let glucose: Int
    let hasError: Bool
    let quality: Int
    let temperature: Int
    let adjustment: Int
    let milligrams: Int?

    init(from decoder: any Decoder) throws {
      var row = try decoder.unkeyedContainer()
      minute = try row.decode(Int.self)
      glucose = try row.decode(Int.self)
      hasError = try row.decode(Bool.self)
      quality = try row.decode(Int.self)
      temperature = try row.decode(Int.self)
      adjustment = try row.decode(Int.self)
      milligrams = try row.decodeNil() ? nil : row.decode(Int.self)
    }
  }
}
