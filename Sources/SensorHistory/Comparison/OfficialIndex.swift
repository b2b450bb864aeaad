// SPDX-License-Identifier: Apache-2.0
import HostSystem
import TextFormats

struct OfficialIndex: Decodable {
  struct Entry: Decodable {
    let file: String
    let uid: String?
    let patchInfo: String?
    let official: Values?
    let expectedFromSource: Expected?

    var values: Values? { official ?? expectedFromSource?.officialAlgorithm?.values }

    func readings(at path: String, _ calibrations: [Comparison.Calibration]) throws(LibreError) -> [SensorReading] {
      var options = DecodeOptions()
      options.uid = uid.flatMap { try? SensorUID(printed: $0) }
      options.patchInfo = patchInfo.flatMap(HexText.bytes).flatMap(PatchInfo.init)
      let file = try Files.read(path)
      return try calibrations.map { (_, choice) throws(LibreError) in
        options.calibration = choice
        return try DumpDecoder(options: options).decode(file, path: path)
      }
    }
  }

  struct Values: Decodable {
    var history: [Value]?
    var historyErrors: [Failure]?
    var current: Current?
    var values: [Streamed]?

    enum CodingKeys: String, CodingKey {
      case history, historyErrors, current, values
      case exactHistory = "history_float32"
    }

    /// Minutes and values that are not rounded, as some apps store them.
    private var exactHistory: [[Double]]?

    var allHistory: [Value] {
      (history ?? [])
        + (exactHistory ?? []).compactMap { pair in
          pair.count == 2 ? Int(exactly: pair[0]).map { Value(minute: $0, mgdl: pair[1]) } : nil
        }
    }

    init(history: [Value]? = nil, current: Current? = nil) { (self.history, self.current) = (history, current) }
  }

  struct Value: Decodable {
    let minute: Int
    let mgdl: Double
  }

  struct Failure: Decodable { let minute: Int }
  struct Current: Decodable { let mgdl: Double }

  struct Streamed: Decodable {
    let minute: Int
    let mgdl: Double
    let trend: [[Int]]
  }

  /// The result of Abbott's library, with its names. Quality 1 marks a value that was not computed.
  struct Expected: Decodable {
    struct Answer: Decodable {
      struct Value: Decodable {
        let bg: Double
        let quality: Int
        let time: Int
      }

      let historicBg: [Value]?
      let currentBg: Double?

      var values: Values {
        Values(
          history: historicBg?.filter { $0.quality == 0 }.map { OfficialIndex.Value(minute: $0.time, mgdl: $0.bg) },
          current: currentBg.map(Current.init))
      }
    }

    let officialAlgorithm: Answer?
  }

  let vectors: [Entry]

  static let fileName = "INDEX.json"

  init(_ path: String) throws(LibreError) {
    let bytes = try Files.read(path)
    do throws(JSONError) {
      self = try JSONReading.value(OfficialIndex.self, from: bytes)
    } catch {
      let culprit =
        switch error {
        case .notJSON(let words): words
        case .badField(let name): "\(name) is missing or has the wrong type"
        case .tooLarge(let found, let limit): "\(found) bytes exceed the limit of \(limit)"
        }
      throw .input(.unreadable("invalid index of official values: \(culprit)"))
    }
  }
}
