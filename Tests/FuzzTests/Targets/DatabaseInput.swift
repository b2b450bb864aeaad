// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import Libre1Core
import TestSupport

@testable import HostSystem

/// Databases of other programs as files, because SQLite reads a file.
enum DatabaseInput {
  /// The formats that read one, of dumps and of histories.
  static let formats: Set = ["xdrip", "librelink"]

  private static let images = ["active", "young"].compactMap { Scenario.named($0)?.image(seed: 1) }
  private static let firstScan = 1_714_644_900_000

  /// Writes the bytes to a file of their own, hands over its path, and deletes it with everything next to it.
  static func with<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result {
    try with { path in
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      return try body(path)
    }
  }

  /// Valid databases of a format.
  static func seeds(_ format: String) throws -> [[UInt8]] {
    switch format {
    case "xdrip": try ["", ", patchUid BLOB, patchInfo BLOB"].map { try database(xDrip(moreColumns: $0)) }
    case "librelink": try [libreLink(), libreLinkState()].map(database)
    default: []
    }
  }

  private static func xDrip(moreColumns: String) -> [String] {
    let columns = "timestamp INTEGER, reference TEXT, blockbytes BLOB, bytestart INTEGER, byteend INTEGER"
    return ["CREATE TABLE LibreBlock (_id INTEGER PRIMARY KEY, \(columns)\(moreColumns))"]
      + images.enumerated().map { number, image in
        """
        INSERT INTO LibreBlock (timestamp, reference, blockbytes, bytestart, byteend)
        VALUES (\(firstScan + 60_000 * number), 'nfc', x'\(memory(image))', 0, 344)
        """
      }
  }

  private static func libreLink() -> [String] {
    [LibreLinkTables.sql]
      + images.enumerated().map { number, image in
        let time = firstScan + 60_000 * number
        return """
          INSERT INTO rawScans VALUES (x'DF0000010100', x'\(memory(image))', NULL, 1, \(time));
          INSERT INTO historicReadings VALUES (11\(number), NULL, \(15 * number), 1, \(time));
          INSERT INTO historicErrors VALUES (32768, NULL, \(15 * number + 30), 1, \(time));
          INSERT INTO realTimeReadings VALUES (12\(number), NULL, 1, \(time));
          """
      }
  }

  /// A database that has no scans, so that the records in the state of the sensor are read.
  private static func libreLinkState() -> [String] {
    let state = LibreLinkState(SimulatedSensor(seed: 1), newestTrend: 400, newestHistory: 390).bytes
    return [
      LibreLinkTables.sql,
      """
      UPDATE sensors SET measurementState = x'\(HexText.string(of: state[1_230..<5_330]))', lastScanSampleNumber = 400,
        lastScanTimestampUTC = \(firstScan)
      """,
    ]
  }

  private static func memory(_ image: MemoryImage) -> String { HexText.string(of: image.bytes.prefix(344)) }

  private static func database(_ statements: [String]) throws -> [UInt8] {
    try with { path in
      do {
        let database = try SQLiteConnection<SQLiteFailure>(path, for: .creating)
        // The smallest pages leave the fuzzer the fewest bytes without a meaning.
        try database.execute("PRAGMA page_size = 512")
        for sql in statements { try database.execute(sql) }
      }
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }
  }

  /// Hands over an unused path, in memory where the system has such a directory.
  private static func with<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    let path = folder + "/libre-fuzz-\(UUID().uuidString)"
    defer {
      for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
    return try body(path)
  }
}
