// SPDX-License-Identifier: Apache-2.0
import Foundation

extension FoundContainer {
  #if SQLite
    /// Tables whose values go over several pages.
    static let databases = [
      Self(bytes: "blob in the third row of a table") {
        database("CREATE TABLE scans (fram); INSERT INTO scans VALUES (NULL), ('x'), (x'\(hex($0, ""))')")
      },
      Self(bytes: "JSON in a table") {
        let note = String(repeating: "z", count: 400)
        return database(
          "CREATE TABLE logs (t); INSERT INTO logs VALUES ('{\"note\":\"\(note)\",\"fram\":\"\(hex($0, ""))\"}')")
      },
      Self(bytes: "listing in a table in UTF-16") { memory in
        let listing = rows(memory, 8) { "\($0): \(hex($1))" }
        return database("PRAGMA encoding = 'UTF-16'; CREATE TABLE logs (t); INSERT INTO logs VALUES ('\(listing)')")
      },
      Self(bytes: "base64 in a table without row numbers, in WAL mode") {
        database(
          "PRAGMA journal_mode = WAL; CREATE TABLE a (k PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO a VALUES (1, '\(base64($0))')"
        )
      },
      Self(bytes: "zlib in a table in ZIP") {
        let packed = hex([0x78, 0x01] + deflated($0), "")
        return zipEntry("app.db", database("CREATE TABLE a (v); INSERT INTO a VALUES (x'\(packed)')"))
      },
    ]

    /// Nothing, in which no test finds a memory, if SQLite fails.
    private static func database(_ sql: String) -> [UInt8] {
      guard let database = try? XDripDatabase("PRAGMA page_size = 512; \(sql); PRAGMA wal_checkpoint(TRUNCATE)"),
        let data = try? Data(contentsOf: URL(fileURLWithPath: database.path))
      else { return [] }
      return [UInt8](data)
    }
  #else
    static let databases: [FoundContainer] = []
  #endif
}
