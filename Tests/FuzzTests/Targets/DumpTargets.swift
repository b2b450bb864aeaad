// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import Foundation
import Libre1Core
import LibreKit
import SensorSimulator

@testable import SQLiteAccess

/// Files: each format by itself, and all with detection. Each refuses a file with a reason or reads memories, which every
/// writer then refuses or writes so that they are read again the same.
enum DumpTargets {
  static let all =
    [
      FuzzTarget(
        name: "dump", seeds: { seeds(nil) }, folders: ["SensorDumps/libre1", "SensorDumps/traces"], words: words,
        testRuns: 150, run: detect)
    ]
    + Registry.dumpFormats.map { format in
      format.name == "xdrip"
        ? FuzzTarget(
          name: "dump-xdrip", seeds: { try databases() }, words: words, longest: 32_768, testRuns: 60,
          run: { try database($0, format) })
        : FuzzTarget(
          name: "dump-\(format.name)", seeds: { seeds(format.name) },
          folders: format.name == "hex" ? ["SensorDumps/libre1"] : [], words: words, testRuns: 120,
          run: { try read($0, format) })
    }

  private static let words = [
    "# ", "#00", "uid: ", "patch-info: ", "read-at: ", "missing-blocks: ", "E007A000", "block", "Block 00", "[=]",
    "[+]",
    "UID", "\"blocks\":{", "\"Card\":{", "\"raw\":", "FileType", "15693 v4", "Filetype: Flipper NFC device",
    "Data Content: ",
    "Block Count: ", "** TagInfo scan", "# Memory content:", "libre_wifi_data", "BlockBytes", "raw_data",
    "b64contents=",
    "content=", "patchUid=", "timestamp=", "%2B", "FRAM:", "did read", " | ", "  // ", "The block #",
    "# libre-trace: 1", " -> ",
    "# tap", "libre.dump/1", "\"memory\":{\"bytes\":\"", "\"missing_blocks\":[", "\r\n", "0xF860", "SQLite format 3",
    "LibreBlock", "\u{FEFF}", "\u{1F}\u{8B}",
  ]

  private static let images = ["active", "young", "block-42-missing", "libre2"].compactMap {
    Scenario.named($0)?.image(seed: 1)
  }

  /// Of one format, or of all.
  private static func seeds(_ format: String?) -> [[UInt8]] {
    var all: [(format: String, bytes: [UInt8])] = []
    for image in images {
      for writer in Registry.dumpWriters {
        if let file = try? writer.file(of: image) { all.append((writer.name, file)) }
      }
      let memory = Array(image.bytes.prefix(344))
      all += DumpText.numbered.map { ($0.format, $0.file(of: memory)) } + DumpText.others(of: memory)
      all.append(("trace", TraceTarget.conversation(of: image)))
    }
    return all.filter { format == nil || $0.format == format }.map(\.bytes)
  }

  private static func detect(_ bytes: [UInt8]) throws {
    if Gzip.isGzip(bytes) { _ = try? Gzip.expanded(bytes, limit: 1 << 20) }
    let file = DumpFile(bytes)
    let formats = Registry.dumpFormats.filter { $0.name != "xdrip" }
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

  // MARK: xDrip's database

  /// The bytes as a file, which is how SQLite reads them.
  private static func database(_ bytes: [UInt8], _ format: any DumpFormat) throws {
    let path = try temporary()
    defer {
      for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    guard let dumps = try? format.dumps(in: DumpFile(Array(bytes.prefix(16)), path: path)) else { return }
    for case .success(let dump) in dumps.prefix(8) { try DumpOracle.check(dump.image) }
  }

  private static func databases() throws -> [[UInt8]] {
    let columns = "timestamp INTEGER, reference TEXT, blockbytes BLOB, bytestart INTEGER, byteend INTEGER"
    return try ["", ", patchUid BLOB, patchInfo BLOB"].map { more in
      let path = try temporary()
      defer { try? FileManager.default.removeItem(atPath: path) }
      do {
        let database = try SQLiteConnection(path, for: .creating)
        // The smallest pages: less for the fuzzer to change in vain.
        for sql in ["PRAGMA page_size = 512", "CREATE TABLE LibreBlock (_id INTEGER PRIMARY KEY, \(columns)\(more))"] {
          try database.execute(sql)
        }
        for (number, image) in images.prefix(2).enumerated() {
          let memory = HexText.string(of: image.bytes.prefix(344))
          try database.execute(
            """
            INSERT INTO LibreBlock (timestamp, reference, blockbytes, bytestart, byteend)
            VALUES (\(1_714_644_900_000 + 60_000 * number), 'nfc', x'\(memory)', 0, 344)
            """)
        }
      }
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }
  }

  /// A name that nobody has: in memory where there is such a place.
  private static func temporary() throws -> String {
    let folder = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    return folder + "/libre-fuzz-\(UUID().uuidString)"
  }
}
