// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import Libre1Core
import LibreKit

/// Files: each format by itself, and all with detection. Each refuses a file with a reason or reads memories, which every
/// writer then refuses or writes so that they are read again the same.
enum DumpTargets {
  static let all =
    [
      FuzzTarget(
        name: "dump", seeds: { seeds(nil) }, folders: ["SensorDumps/libre1", "SensorDumps/traces"], words: words,
        testRuns: 150, run: detect)
    ]
    + Catalogue.standard.dumpFormats.map { format in
      DatabaseInput.formats.contains(format.name)
        ? FuzzTarget(
          name: "dump-\(format.name)", seeds: { try DatabaseInput.seeds(format.name) }, words: words, longest: 32_768,
          testRuns: 60, run: { try database($0, format) })
        : FuzzTarget(
          name: "dump-\(format.name)", seeds: { seeds(format.name) },
          folders: format.name == "hex" ? ["SensorDumps/libre1"] : [], words: words, testRuns: 120,
          run: { try read($0, format) })
    }

  private static let words = [
    "# ", "#00", "uid: ", "patch-info: ", "read-at: ", "missing-blocks: ", "E007A000", "block", "Block 00", "[=]",
    "[+]", "UID", "\"blocks\":{", "\"Card\":{", "\"raw\":", "FileType", "15693 v4", "Filetype: Flipper NFC device",
    "Data Content: ", "Block Count: ", "** TagInfo scan", "# Memory content:", "libre_wifi_data", "BlockBytes",
    "raw_data", "b64contents=", "content=", "patchUid=", "timestamp=", "%2B", "FRAM:", "did read", " | ", "  // ",
    "The block #", "# libre-trace: 1", " -> ", "# tap", "libre.dump/1", "\"memory\":{\"bytes\":\"",
    "\"missing_blocks\":[", "\r\n", "0xF860", "SQLite format 3", "LibreBlock", "\u{FEFF}", "\u{1F}\u{8B}", "00000000: ",
    "00000010: ", "00000000  ", "\n*\n", "\n00000158\n",
  ]

  private static let images = ["active", "young", "block-42-missing", "libre2"].compactMap {
    Scenario.named($0)?.image(seed: 1)
  }

  /// Of one format, or of all.
  private static func seeds(_ format: String?) -> [[UInt8]] {
    var all: [(format: String, bytes: [UInt8])] = []
    for image in images {
      for writer in Catalogue.standard.dumpWriters {
        if let file = try? writer.file(of: image) { all.append((writer.name, file)) }
      }
      let memory = Array(image.bytes.prefix(344))
      all += DumpText.numbered.map { ($0.format, $0.file(of: memory)) } + DumpText.others(of: memory)
      all.append(("trace", TraceTarget.conversation(of: image)))
    }
    all += ((try? DatabaseInput.seeds("xdrip")) ?? []).map { ("found", $0) }
    return all.filter { format == nil || $0.format == format }.map(\.bytes)
  }

  private static func detect(_ bytes: [UInt8]) throws {
    if Gzip.isGzip(bytes) { _ = try? Gzip.expanded(bytes, limit: 1 << 20) }
    let file = DumpFile(bytes)
    let formats = Catalogue.standard.dumpFormats.filter { !DatabaseInput.formats.contains($0.name) }
    var readers: Set<String> = []
    // Several formats read the same of one file.
    var checked: Set<MemoryImage> = []
    for format in formats {
      guard let dumps = try? format.dumps(in: file) else { continue }
      readers.insert(format.name)
      for case .success(let dump) in dumps.prefix(4) where checked.insert(dump.image).inserted {
        try DumpOracle.check(dump.image)
      }
    }
    if let found = try? DumpDetector(formats: formats).detect(file) {
      try require(readers.contains(found.format), "detection names a format that reads the file")
      for choice in [DumpChoice.only, .number(1), .number(2)] { _ = try? choice.dump(in: found.dumps) }
    }
  }

  private static func read(_ bytes: [UInt8], _ format: any DumpFormat) throws {
    guard let dumps = try? format.dumps(in: DumpFile(bytes)) else { return }
    for case .success(let dump) in dumps.prefix(4) { try DumpOracle.check(dump.image) }
  }

  /// The bytes as a file, which is how SQLite reads them.
  private static func database(_ bytes: [UInt8], _ format: any DumpFormat) throws {
    try DatabaseInput.with(bytes) { path in
      guard let dumps = try? format.dumps(in: DumpFile(Array(bytes.prefix(16)), path: path)) else { return }
      // A scan of which only the records are left has no bytes.
      for case .success(let dump) in dumps.prefix(8) where !dump.image.bytes.isEmpty {
        try DumpOracle.check(dump.image)
      }
    }
  }
}
