// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The real memories beside the repository, people's health data that is read where it lies, and what an independent
/// decoder found in each.
struct ReferenceIndex: Decodable {
  let vectors: [Entry]

  /// `LIBRE_REFERENCE_DUMPS`, else `../shared/dumps` beside the repository.
  static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["LIBRE_REFERENCE_DUMPS"] {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    return Sandbox.root.deletingLastPathComponent().appendingPathComponent("shared/dumps", isDirectory: true)
  }()

  static let isPresent = FileManager.default.fileExists(atPath: folder.appendingPathComponent("INDEX.json").path)

  static let absence = "the real memories are not at \(folder.path); set LIBRE_REFERENCE_DUMPS to have them tested"

  static func load() throws -> [Entry] {
    let data = try Data(contentsOf: folder.appendingPathComponent("INDEX.json"))
    return try JSONDecoder().decode(ReferenceIndex.self, from: data).vectors
  }

  struct Entry: Decodable {
    let file: String
    let kind: String
    let uid: String?
    let patchInfo: String?
    let torn: String?
    let encrypted: JSONValue?
    let crc: Checksums?
    let decoded: Decoded?

    var isPro: Bool { kind == "librePro" }
    var isEncrypted: Bool { encrypted != nil }
    /// The index calls torn what a minute that ticked and what a block that was never read leave.
    var isTorn: Bool { torn?.hasPrefix("age ticked") == true }
    var isReadable: Bool { !isEncrypted && !isPro && (crc?.body == true || isTorn) }
  }

  struct Checksums: Decodable {
    let header: Bool
    let body: Bool
    let footer: Bool
  }

  struct Decoded: Decodable {
    let state: Int?
    let age: Int?
    let newestTrendMinute: Int?
    let newestHistoryMinute: Int?
    let maxLife: Int?
    let calibration: [String: Int?]?
    let trend: [Row]?
    let history: [Row]?
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

    /// °C by CALIBRATION 1, with the platform's own logarithm.
    func celsius(i6: Int) -> Double {
      let ohms = Double(temperature) * 72_500 / Double(adjustment + i6) - 1_000
      let l = log(ohms)
      return 1
        / (0.000_918_002_3 + 0.000_196_456_1 * l + 0.000_000_706_177_5 * l * l + 0.000_000_052_835_66 * l * l * l)
        - 273.15
    }
  }
}
