// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("libre find, and libre import --found") struct FindCommandTests {
  private let sandbox: Sandbox

  /// The backup of a phone: a memory in a log, and again in an archive; another one in a hidden database of an app; a
  /// link to the first, an empty directory and a file without a memory.
  init() throws {
    sandbox = try Sandbox()
    try sandbox.copy("active.hex", to: "dump.hex")
    try sandbox.copy("expired.hex", to: "other.hex")
    let script = """
      mkdir -p backup/apps/.cache backup/empty
      "$LIBRE" convert dump.hex --to raw --out dump.bin && "$LIBRE" convert other.hex --to raw --out other.bin
      { echo started; od -An -v -tx1 dump.bin; echo ended; } > backup/apps/app.log
      python3 - <<'END'
      import zipfile
      with zipfile.ZipFile("backup/old.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("notes.txt", "nothing"); archive.write("dump.bin")
      END
      { printf 'no format'; cat other.bin; printf 'knows this'; } > backup/apps/.cache/state
      echo nothing > backup/notes.txt
      ln -s ../dump.hex backup/link.hex; ln -s .. backup/up; mkfifo backup/pipe
      rm dump.bin other.bin
      """
    #expect(try sandbox.shell(script).status == 0)
  }

  @Test("each memory in a directory is listed once, with its place, its age and whether the store has it")
  func list() throws {
    let table = try sandbox.run("find", "backup")
    #expect(table.status == 0 && table.errors.isEmpty, "\(table.errors)")
    #expect(table.lines.count == 3 && table.lines.first?.hasPrefix("sensor") == true, "\(table.text)")
    #expect(table.text.contains("backup/apps/.cache/state  bytes at byte 9\n"), "\(table.text)")
    #expect(table.lines.last?.contains("new    backup/apps/app.log  ") == true, "\(table.text)")
    #expect(table.lines.last?.hasSuffix(", and 1 other file") == true, "\(table.text)")
    // Nothing is stored.
    #expect(try sandbox.run("sensors").status == 66)
    let document = try sandbox.run("find", "backup", "--json").json()
    #expect(document["schema"] == .string("libre.find/1") && document["files"] == .number(4))
    #expect(document["interrupted"] == .bool(false) && document["unread"] == .array([]))
    let lines = try sandbox.run("find", "backup", "--ndjson").ndjson()
    #expect(document["memories"] == .array(lines) && lines.map { $0["known"] } == [.bool(false), .bool(false)])
    #expect(
      lines.last?["places"].elements.map { $0["path"].text } == ["backup/apps/app.log", "backup/old.zip"])
    #expect(lines.last?["places"].elements.last?["found"]["layer"] == .string("zip"))
    // import --found stores each once, and the store's own file then shows known memories.
    let first = try sandbox.run("import", "--found", "backup")
    #expect(first.status == 0 && first.lines.count == 2, "\(first.text)\(first.errors)")
    #expect(first.lines.allSatisfy { $0.contains("): 1 scan (1 new)") }, "\(first.text)")
    let again = try sandbox.run("import", "--found", "backup", "--json").json()
    #expect(again.elements.map { $0["new_scans"] } == [.number(0), .number(0)])
    #expect(again.elements.allSatisfy { $0["added"] == .number(0) && $0["known"].number ?? 0 > 0 })
    let known = try sandbox.run("find", "backup", "data", "--ndjson").ndjson()
    #expect(known.count == 2 && known.allSatisfy { $0["known"] == .bool(true) }, "\(known)")
    #expect(known.allSatisfy { $0["places"].elements.contains { $0["path"].text?.contains(".sqlite") == true } })
  }

  @Test("what cannot be read is named at the end, and the status is the highest; nothing found is 65")
  func unread() throws {
    try sandbox.write([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00, 1, 2, 3], to: "backup/a.xz")
    let outcome = try sandbox.run("find", "missing", "backup", "--json")
    #expect(outcome.status == 66)
    let document = try outcome.json()
    #expect(document["memories"].elements.count == 2)
    #expect(document["unread"].elements.map { $0["code"].text } == ["not_found", "is_packed"], "\(outcome.text)")
    #expect(outcome.errors.contains("missing: no such file") && outcome.errors.contains("backup/a.xz: "))
    let imported = try sandbox.run("import", "--found", "missing", "backup")
    #expect(imported.status == 66 && imported.lines.count == 2, "\(imported.errors)")
    for command in [["find"], ["import", "--found"]] {
      let nothing = try sandbox.run(command + ["backup/empty", "backup/notes.txt"])
      #expect(nothing.status == 65 && nothing.text.isEmpty)
      #expect(nothing.errors.contains("no sensor memory found in 1 file\n"), "\(nothing.errors)")
    }
    #expect(try sandbox.run("find", "backup/notes.txt", "--ndjson").output.isEmpty)
  }
}
