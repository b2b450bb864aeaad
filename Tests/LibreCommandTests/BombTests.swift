// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A file that is made to take all memory or all time of who reads it.
struct Bomb: CustomTestStringConvertible, Sendable {
  let name: String
  /// Makes the file in the folder in which the command runs; a shell script.
  let script: String
  /// What has to be read of it; of a packed file, unpacked.
  let megabytes: Double
  let command: [String]
  let status: Int32
  /// What has to be in the message; empty for a file that is read.
  let words: String

  init(
    _ name: String, _ script: String, megabytes: Double = 0, _ command: String..., status: Int32 = 65,
    says words: String
  ) {
    self.name = name
    self.script = script
    self.megabytes = megabytes
    self.command = command
    self.status = status
    self.words = words
  }

  var testDescription: String { name }

  static let packed = [
    Bomb(
      "a gzip bomb of 300 MB", "head -c 300000000 /dev/zero | gzip -1 > b", megabytes: 64, "decode", "b",
      says: "67108864"),
    Bomb(
      "a gzip bomb in a gzip bomb", "head -c 300000000 /dev/zero | gzip -1 | gzip > b", megabytes: 1, "decode", "b",
      says: "b"),
    Bomb(
      "a packed file of 100,000 empty members",
      "printf '' | gzip > one; python3 -c \"import sys; sys.stdout.buffer.write(open('one','rb').read()*100000)\" > b",
      megabytes: 2, "decode", "b", says: "0 bytes"),
    Bomb(
      "a gzip bomb as a history", "head -c 300000000 /dev/zero | gzip -1 > b", megabytes: 64, "import", "b", "--store",
      "s.sqlite", says: "67108864"),
    Bomb("a device without end", "ln -s /dev/zero b", megabytes: 64, "decode", "b", says: "67108864"),
    Bomb("a sparse file of 100 GB", "truncate -s 100G b", "decode", "b", says: "67108864"),
  ]

  static let lines = [
    Bomb(
      "a line of 64 MiB in a table", "(printf 'time,glucose\\n\"'; head -c 67108864 /dev/zero | tr '\\0' x) > b",
      megabytes: 64, "import", "b", "--store", "s.sqlite", says: "1048576 bytes"),
    Bomb(
      "a line of more than 64 MiB", "head -c 67108865 /dev/zero | tr '\\0' A > b", "decode", "b", says: "67108864"),
    Bomb(
      "a line of 2 MiB of brackets", "head -c 2097152 /dev/zero | tr '\\0' '[' > b", megabytes: 2, "decode", "b",
      says: "none of the dump formats"),
    Bomb(
      "a line of 2 MiB of base64", "head -c 2097152 /dev/zero | tr '\\0' Q > b", megabytes: 2, "decode", "b", says: "b:"
    ),
    Bomb(
      "a million empty lines", "yes '' | head -n 1000000 > b", megabytes: 1, "decode", "b", says: "none of the dump"),
    Bomb(
      "a hundred thousand blocks", "yes 'A0 01 02 03 04 05 06 07' | head -n 100000 > b", megabytes: 2.4, "decode", "b",
      says: "b:"),
  ]

  /// Recordings are kept in memory as a whole.
  static let recordings = [
    Bomb(
      "a recording of 300,000 comments", recording("yes '#' | head -n 300000"), megabytes: 0.6, "decode", "b",
      says: "line 250001 is not among the 250000 lines"),
    Bomb(
      "a reader's recording of 300,000 comments", recording("yes '#' | head -n 300000"), megabytes: 0.6, "read",
      "--reader", "replay:b", says: "more than 250000 lines"),
    Bomb(
      "a recording of 3 MB of empty lines", recording("yes '' | head -n 3000000"), megabytes: 3, "decode", "b",
      says: "no sensor memory"),
  ]

  /// A shell script that makes the recording whose lines another one writes.
  private static func recording(_ lines: String) -> String { "(echo '# libre-trace: 1'; \(lines)) > b" }

  static let identities = [
    Bomb(
      "1,000 ids that nobody gave, of devices whose names all have to be escaped",
      """
      python3 - > b <<'PYTHON'
      import json
      for i in range(1000):
          print(json.dumps({
              "schema": "libre.sample/1", "id": f"11112222-3333-5444-8000-{i:012}", "ring": "trend",
              "time": f"2024-05-02T{i // 60:02}:{i % 60:02}:00Z", "glucose_mg_dl": 99, "quality": "ok",
              "source": "s", "device": "/" * 2000}))
      PYTHON
      """, megabytes: 2.1, "import", "b", "--input-format", "ndjson", "--store", "s.sqlite", status: 0, says: "")
  ]

  /// Tens of megabytes, for the released command only.
  static let heavy = [
    Bomb(
      "a million blocks", "yes 'A0 01 02 03 04 05 06 07' | head -n 1000000 > b", megabytes: 24, "decode", "b",
      says: "8000000 bytes are no memory"),
    Bomb(
      "a million numbered blocks", "yes '#00 A0 01 02 03 04 05 06 07' | head -n 1000000 > b", megabytes: 28, "decode",
      "b", says: "b:"),
    Bomb(
      "64 MiB of hex digits", "head -c 67108864 /dev/zero | tr '\\0' A > b", megabytes: 64, "decode", "b",
      says: "no memory"),
    Bomb(
      "64 MiB of base64", "head -c 67108864 /dev/zero | tr '\\0' Q > b", megabytes: 64, "decode", "b",
      says: "none of the dump formats"),
    Bomb(
      "64 MiB of random bytes", "head -c 67108864 /dev/urandom > b", megabytes: 64, "decode", "b",
      says: "no memory"),
    Bomb(
      "a recording of 30 million comments", recording("yes '#' | head -n 30000000"), megabytes: 60, "decode", "b",
      says: "line 250001"),
    Bomb(
      "a JSON array of 20 million numbers", "(printf '['; yes '0,' | head -n 20000000; printf '0]') > b.json",
      megabytes: 60, "decode", "b.json", says: "b.json"),
    Bomb(
      "a table of 64 MB of empty lines as a history", "(echo 'time,glucose mg/dL'; yes '' | head -n 60000000) > b",
      megabytes: 60, "import", "b", "--store", "s.sqlite", status: 0, says: ""),
  ]

  static let nested = [
    Bomb(
      "100,000 brackets of JSON", "python3 -c \"print('['*100000 + ']'*100000)\" > b.json", megabytes: 0.2, "decode",
      "b.json", says: "b.json"),
    Bomb(
      "100,000 objects in each other", "python3 -c \"print('{\\\"schema\\\":'*100000 + '1' + '}'*100000)\" > b.json",
      megabytes: 1.1, "decode", "b.json", says: "b.json"),
    Bomb(
      "entities that make ten of each other, nine times",
      """
      python3 -c "
      e = ''.join('<!ENTITY e%d \\"%s\\">' % (i, '&e%d;' % (i - 1) * 10) for i in range(1, 10))
      print('<?xml version=\\"1.0\\"?><!DOCTYPE HealthData [<!ENTITY e0 \\"lol\\">' + e + ']><HealthData>&e9;</HealthData>')
      " > b.xml
      """, "import", "b.xml", "--store", "s.sqlite", says: "b.xml"),
    Bomb(
      "a million elements in each other",
      "python3 -c \"print('<?xml version=\\\"1.0\\\"?><HealthData>' + '<a>'*1000000)\" > b.xml", megabytes: 3, "import",
      "b.xml", "--store", "s.sqlite", says: "b.xml"),
  ]

  /// Where the configuration is, which every command reads.
  static let configurations = [
    Bomb(
      "a key of 100,000 names",
      configuration("'a' + '.a' * 100000 + ' = 1'"),
      "config", "check", status: 78, says: "32768 bytes"),
    Bomb(
      "a key of 16,000 names",
      configuration("'a' + '.a' * 16000 + ' = 1'"),
      "config", "check", status: 78, says: "line 1 has more than 4096 bytes"),
    Bomb(
      "a key of 2,000 names",
      configuration("'a' + '.a' * 2000 + ' = 1'"),
      "config", "check", status: 78, says: "which nothing reads"),
    Bomb(
      "five million numbers",
      configuration("'store = [' + '1,' * 5000000 + ']'"), "config",
      "check", status: 78, says: "32768 bytes"),
    Bomb(
      "a device without end", "mkdir config/libre; ln -s /dev/zero config/libre/config.toml", "config", "check",
      status: 78, says: "32768 bytes"),
  ]

  /// A shell script that makes the configuration, as Python's expression has it.
  private static func configuration(_ expression: String) -> String {
    "mkdir config/libre; python3 -c \"print(\(expression))\" > config/libre/config.toml"
  }

  /// Schemas that are too much, or not what they say: as a dump, and as the store.
  static let databases: [Bomb] = schemas.flatMap { schema -> [Bomb] in
    let dump = Bomb(
      "decode: \(schema.name)", schema.script, megabytes: schema.megabytes, "decode", "b", says: schema.words)
    let store = Bomb(
      "latest: \(schema.name)", schema.script, megabytes: schema.megabytes, "latest", "--store", "b", status: 74,
      says: "not a store")
    return [dump, store]
  }

  private static let schemas: [(name: String, script: String, megabytes: Double, words: String)] = [
    (
      "a schema of 100,000 tables",
      database(
        """
        c.execute("CREATE TABLE t(a)")
        c.executemany(
            "INSERT INTO sqlite_master VALUES('table', ?, ?, 2, ?)",
            ((f"u{i}", f"u{i}", f"CREATE TABLE u{i}(a)") for i in range(100000)))
        """), 5, "its schema is larger"
    ),
    (
      "a definition of 100 MB",
      database(
        """
        c.execute("CREATE TABLE t(a)")
        words = "CREATE TABLE z(a DEFAULT '" + "00" * 50_000_000 + "')"
        c.execute("INSERT INTO sqlite_master VALUES('table', 'z', 'z', 2, ?)", (words,))
        """), 100, "its schema is larger"
    ),
    (
      "a view that never ends",
      database(
        """
        c.execute(
            "CREATE VIEW LibreBlock AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) "
            "SELECT n AS timestamp, 0 AS bytestart, 344 AS byteend, zeroblob(344) AS blockbytes FROM r")
        """), 0, "LibreBlock"
    ),
  ]

  /// A shell script that makes the database `b`, as Python's statements have it.
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

/// No input makes the process use more than 256 MB, or more than 1 s for each MB of it.
@Suite("Bombs", .timeLimit(.minutes(5)), .disabled(if: Sandbox.isSanitized))
struct BombTests {
  /// Without optimization all is some ten times slower, and nobody decodes with that: `make bombs` runs this on the
  /// released command.
  private static let slowness: Double = Sandbox.released == nil ? 10 : 1

  @Test(
    "a bomb is refused by its name, or read, within 256 MB and 1 s for each MB",
    arguments: Bomb.packed + Bomb.lines + Bomb.recordings + Bomb.identities + Bomb.nested + Bomb.configurations
      + (Sandbox.released == nil ? [] : Bomb.heavy))
  func files(_ bomb: Bomb) throws { try check(bomb) }

  #if SQLite
    @Test("a database is not what its schema makes of it", arguments: Bomb.databases)
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
    #expect(run.seconds <= max(1, bomb.megabytes) * Self.slowness, "\(bomb.megabytes) MB")
  }
}
