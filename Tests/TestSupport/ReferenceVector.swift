// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// One entry of INDEX.json, of which the tests read what an independent decoder found.
package struct ReferenceVector: Decodable, Sendable, CustomTestStringConvertible {
  package let file: String
  package let bytes: Int
  package let kind: String
  package let uid, patchInfo, torn: String?
  package let encrypted: Encrypted?
  package let crc: Checksums?
  /// nil for encrypted memories.
  package let decoded: Decoded?

  package var testDescription: String { file }

  package var isEncrypted: Bool { encrypted != nil }
  package var isPro: Bool { kind == "librePro" }
  /// The index calls torn what a minute that ticked and what a block that was never read leave.
  package var hasTornBody: Bool { torn?.hasPrefix("age ticked") == true }
  /// A memory of the Libre 1 layout whose body can be read: its checksum holds, if need be with the age less one.
  package var isReadable: Bool { !isEncrypted && !isPro && (crc?.body == true || hasTornBody) }

  package struct Encrypted: Decodable, Sendable {
    /// The file with the same memory in plain.
    package let decryptsTo: String
  }

  package struct Checksums: Decodable, Sendable {
    package let header, body, footer: Bool
    /// Of the program behind the footer; only full memories have it.
    package let commands: Bool?
  }

  /// Without rings for a Libre Pro's memory.
  package struct Decoded: Decodable, Sendable {
    package let state, age, initializations, region, maxLife: Int?
    package let trendIndex, historyIndex, newestTrendMinute, newestHistoryMinute: Int?
    package let calibration: Calibration?
    package let eol: [EndOfLife]?
    package let trend, history: [Row]?
    package let serial: String?
  }

  package struct Calibration: Decodable, Sendable {
    package let i1, i2, i3, i4, i5, i6: Int?
  }

  package struct EndOfLife: Decodable, Sendable {
    package let code: UInt8
    package let minute: Int
  }

  /// Minute, raw glucose, error flag, low nine bits of the error field, raw temperature, adjustment, rounded mg/dL.
  package struct Row: Decodable, Sendable {
    package let minute: Int
    package let glucose: Int
    package let hasError: Bool
    package let quality: Int
    package let temperature: Int
    package let adjustment: Int
    package let milligrams: Int?

    package init(from decoder: any Decoder) throws {
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
    package func celsius(i6: Int) -> Double {
      let ohms = Double(temperature) * 72_500 / Double(adjustment + i6) - 1_000
      let l = log(ohms)
      return 1
        / (0.000_918_002_3 + 0.000_196_456_1 * l + 0.000_000_706_177_5 * l * l + 0.000_000_052_835_66 * l * l * l)
        - 273.15
    }
  }
}
