// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A file that was made to use up the memory or the time of the program that reads it.
struct Bomb: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// A shell script that makes the file in the directory where the command runs.
  let script: String
  let command: [String]
  let status: Int32
  /// The message must contain this; empty for a file that can be read.
  let words: String

  init(_ name: String, _ script: String, _ command: String..., status: Int32 = 65, says words: String) {
    (testDescription, self.script, self.command, self.status, self.words) = (name, script, command, status, words)
  }

  /// The bombs of this run: the first of each group, or all of them in `make full` and for the released command.
  static let chosen: [Bomb] = {
    let groups = [packed, lines, recordings, identities, nested, configurations]
    return groups.flatMap(choice) + (Sandbox.released == nil ? [] : heavy)
  }()

  /// The first of a group is quick to make and to read.
  static func choice(of group: [Bomb]) -> [Bomb] {
    let hasTime = TestTier.current == .full || Sandbox.released != nil
    return hasTime ? group : Array(group.prefix(1))
  }

  static let packed = [
    Bomb(
      "a gzip bomb of 30 times 10 MB",
      "head -c 10000000 /dev/zero | gzip > one; for i in $(seq 30); do cat one; done > b", "decode", "b",
      says: "67108864 (64 MiB)"),
    Bomb(
      "a gzip bomb in a gzip bomb", "head -c 300000000 /dev/zero | gzip -1 | gzip > b", "decode", "b",
      says: "b"),
    Bomb(
      "a packed file of 100,000 empty members",
      "printf '' | gzip > one; python3 -c \"import sys; sys.stdout.buffer.write(open('one','rb').read()*100000)\" > b",
      "decode", "b", says: "input is empty"),
    Bomb(
      "a gzip bomb as a history", "head -c 300000000 /dev/zero | gzip -1 > b", "import", "b", "--store",
      "s.sqlite", says: "67108864"),
    Bomb("a device without end", "ln -s /dev/zero b", "decode", "b", says: "67108864"),
  ]

  static let lines = [
    Bomb(
      "a line of 64 MiB in a table", "(printf 'time,glucose\\n\"'; head -c 67108864 /dev/zero | tr '\\0' x) > b",
      "import", "b", "--store", "s.sqlite", says: "1048576 bytes"),
    Bomb(
      "a line of more than 64 MiB", "head -c 67108865 /dev/zero | tr '\\0' A > b", "decode", "b", says: "67108864"),
  ]

  /// Recordings of a conversation with a sensor, which are kept in memory as a whole.
  static let recordings = [
    Bomb(
      "a reader's recording of 300,000 comments", recording("yes '#' | head -n 300000"), "read",
      "--reader", "replay:b", says: "more than 250000 lines"),
    Bomb(
      "a recording of 300,000 comments", recording("yes '#' | head -n 300000"), "decode", "b",
      says: "line 250001 is not among the 250000 lines"),
  ]

  /// A shell script that makes a recording of the lines that another script writes.
  private static func recording(_ lines: String) -> String { "(echo '# libre-trace: 1'; \(lines)) > b" }

  static let identities = [
    Bomb(
      "1,000 foreign ids, of devices whose long names must all be escaped",
      """
      python3 - > b <<'PYTHON'
      import json
      for i in range(1000):
          print(json.dumps({
              "schema": "libre.sample/1", "id": f"11112222-3333-5444-8000-{i:012}", "ring": "trend",
              "time": f"2024-05-02T{i // 60:02}:{i % 60:02}:00Z", "glucose_mg_dl": 99, "quality": "ok",
              "source": "s", "device": "/" * 2000}))
      PYTHON
      """, "import", "b", "--input-format", "ndjson", "--store", "s.sqlite", status: 0, says: "")
  ]

  /// Tens of megabytes, for the released command only.
  static let heavy = [
    Bomb(
      "a million numbered blocks", "yes '#00 A0 01 02 03 04 05 06 07' | head -n 1000000 > b", "decode",
      "b", says: "b:"),
    Bomb(
      "64 MiB of random bytes", "head -c 67108864 /dev/urandom > b", "decode", "b",
      says: "bytes of memory"),
    Bomb(
      "a recording of 30 million comments", recording("yes '#' | head -n 30000000"), "decode", "b",
      says: "line 250001"),
    Bomb(
      "a JSON array of 20 million numbers", "(printf '['; yes '0,' | head -n 20000000; printf '0]') > b.json", "decode",
      "b.json", says: "b.json"),
    Bomb(
      "a table of 64 MB of empty lines as a history", "(echo 'time,glucose mg/dL'; yes '' | head -n 60000000) > b",
      "import", "b", "--store", "s.sqlite", status: 0, says: ""),
  ]

  static let nested = [
    Bomb(
      "100,000 brackets of JSON", "python3 -c \"print('['*100000 + ']'*100000)\" > b.json", "decode",
      "b.json", says: "b.json"),
    Bomb(
      "nested entities that expand to a billion",
      """
      python3 -c "
      e = ''.join('<!ENTITY e%d \\"%s\\">' % (i, '&e%d;' % (i - 1) * 10) for i in range(1, 10))
      print('<?xml version=\\"1.0\\"?><!DOCTYPE HealthData [<!ENTITY e0 \\"lol\\">' + e + ']><HealthData>&e9;</HealthData>')
      " > b.xml
      """, "import", "b.xml", "--store", "s.sqlite", says: "b.xml"),
    Bomb(
      "a million nested elements",
      "python3 -c \"print('<?xml version=\\\"1.0\\\"?><HealthData>' + '<a>'*1000000)\" > b.xml", "import",
      "b.xml", "--store", "s.sqlite", says: "b.xml"),
  ]

  /// Files in the place of the configuration, which every command reads.
  static let configurations = [
    Bomb(
      "a device without end", "mkdir config/libre; ln -s /dev/zero config/libre/config.toml", "config", "check",
      status: 78, says: "32768 bytes")
  ]

  /// Databases whose schema is too large or malicious: read as a dump, and as the store.
  static let databases: [Bomb] = schemas.flatMap { schema -> [Bomb] in
    let dump = Bomb(
      "decode: \(schema.name)", schema.script, "decode", "b", says: schema.words)
    let store = Bomb(
      "latest: \(schema.name)", schema.script, "latest", "--store", "b", status: 74,
      says: "not a store")
    return [dump, store]
  }

  private static let schemas: [(name: String, script: String, words: String)] = [
    (
      "a view that never ends",
      database(
        """
        c.execute(
            "CREATE VIEW LibreBlock AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) "
            "SELECT n AS timestamp, 0 AS bytestart, 344 AS byteend, zeroblob(344) AS blockbytes FROM r")
        """), "LibreBlock"
    ),
    (
      "a schema of 100,000 tables",
      database(
        """
        c.execute("CREATE TABLE t(a)")
        c.executemany(
            "INSERT INTO sqlite_master VALUES('table', ?, ?, 2, ?)",
            ((f"u{i}", f"u{i}", f"CREATE TABLE u{i}(a)") for i in range(100000)))
        """), "its schema is larger"
    ),
  ]

  /// A shell script that makes the database `b` by Python statements.
  private static func database(_ statements: String) -> String {
    """
    python3 - <<'PYTHON'
    import sqlite3
    c = sqlite3.connect("b")
    c.execute("PRAGMA writable_schema = ON")
    \(statements)
    c.commit()
    PYTHON
    """
  }
}

/// No input makes the process use more than 256 MB. `make bench` measures the time for each megabyte.
@Suite("Decompression bombs and similar inputs", .disabled(if: Sandbox.isSanitized))
struct BombTests {
  @Test("a bomb is refused with a message that gives the reason, or is read, within 256 MB", arguments: Bomb.chosen)
  func files(_ bomb: Bomb) throws { try check(bomb) }

  #if SQLite
    @Test(
      "a database with a malicious schema is refused, as a dump and as a store, within 256 MB",
      arguments: Bomb.choice(of: Bomb.databases))
    func databases(_ bomb: Bomb) throws { try check(bomb) }
  #endif

  private func check(_ bomb: Bomb) throws {
    let sandbox = try Sandbox()
    let made = try sandbox.shell(bomb.script)
    try #require(made.status == 0, "\(made.errors)")
    let run = try sandbox.measured(bomb.command)
    #expect(run.outcome.status == bomb.status, "\(run.outcome.errors.prefix(500))")
    #expect(run.outcome.errors.contains(bomb.words) || bomb.words.isEmpty, "\(run.outcome.errors.prefix(500))")
    #expect(run.peakMegabytes <= 256)
  }
}
