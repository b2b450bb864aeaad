// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("libre imports, and the removal of single values") struct ImportsCommandTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.write(
      "time,mg_dL,kind\n2024-05-02T10:00,104,\n2024-05-02T10:15,108,\n2024-05-02T10:20,111,blood\n", to: "a.csv")
  }

  private func ids(_ arguments: String...) throws -> [String] {
    try sandbox.run(["history", "--from", "all", "--ring", "all", "--finger-sticks", "--ndjson"] + arguments).ndjson()
      .compactMap { $0["id"].text }
  }

  @Test("import reports the zone used for local times, what was skipped and why, and the number of the import")
  func says() throws {
    try sandbox.write("time,mg_dL\n2024-05-02T10:00:00Z,104\n", to: "utc.csv")
    let local = try sandbox.run("import", "a.csv", "--time-zone", "Europe/Rome", "--ignore-source", "table")
    #expect(local.status == 0, "\(local.errors)")
    let name = try #require(
      try sandbox.run("import", "a.csv", "--time-zone", "Europe/Rome", "--json").json()["format"].text)
    let ignored = try sandbox.run(
      "import", "a.csv", "--time-zone", "Europe/Rome", "--ignore-source", name, "--store", "other.sqlite")
    #expect(
      ignored.text == """
        a.csv (\(name)): 0 new values, 0 known, 3 left out
          times without a zone are in Europe/Rome (--time-zone)
          3 left out: from the ignored source \(name)

        """)
    let tally = try sandbox.run("import", "a.csv", "--time-zone", "Europe/Rome", "--json").json()
    #expect(tally["time_zone"] == .string("Europe/Rome") && tally["has_local_times"] == .bool(true))
    #expect(tally["import"] == .number(3) && tally["left_out_reasons"] == .array([]))
    let absolute = try sandbox.run("import", "utc.csv", "--json").json()
    #expect(absolute["time_zone"] == .null && absolute["has_local_times"] == .bool(false))
    #expect(try !sandbox.run("import", "utc.csv").text.contains("zone"))
    let first = try sandbox.run("import", "utc.csv", "--store", "new.sqlite")
    #expect(first.errors.isEmpty)
  }

  @Test("imports are listed as a table, JSON, JSON lines and CSV; samples from before the list are mentioned")
  func list() throws {
    #expect(try sandbox.run("imports").status == 66)
    _ = try sandbox.run("import", "a.csv", "--time-zone", "Europe/Rome")
    let table = try sandbox.run("imports")
    #expect(table.lines.count == 2 && table.lines.last?.hasSuffix("Europe/Rome  a.csv") == true, "\(table.text)")
    let document = try sandbox.run("imports", "list", "--json").json()
    #expect(document["schema"] == .string("libre.imports/1"))
    let line = try #require(try sandbox.run("imports", "--ndjson").ndjson().first)
    #expect(document["imports"] == .array([line]) && line["files"] == .array([.string("a.csv")]))
    #expect(line["added"] == .number(3) && line["time_zone"] == .string("Europe/Rome"))
    let csv = try sandbox.run("imports", "--csv").lines
    #expect(csv.first == "id,at,formats,time_zone,added,known,left_out,files,filled,conflicts" && csv.count == 2)
    #expect(table.errors.isEmpty)
  }

  @Test("remove asks for confirmation, has a dry run, removes one import, and importing again restores it")
  func remove() throws {
    _ = try sandbox.run("import", "a.csv", "--time-zone", "Europe/Rome")
    let before = try ids()
    let unasked = try sandbox.run("imports", "remove", "1")
    #expect(unasked.status == 64 && unasked.errors.contains("--dry-run first, then --yes"))
    let rehearsal = try sandbox.run("imports", "remove", "1", "--dry-run", "--time-zone", "Europe/Rome")
    #expect(rehearsal.text.contains("3 values from 2024-05-02 10:00 to 2024-05-02 10:20 of "), "\(rehearsal.text)")
    #expect(rehearsal.text.hasSuffix(" would be removed\n") && rehearsal.text.hasPrefix("import 1 (a.csv, "))
    #expect(try ids() == before)
    let unknown = try sandbox.run("imports", "remove", "1", "7", "--yes")
    #expect(unknown.status == 66 && unknown.errors.contains("import 7 does not exist; the store has 1\n"))
    let anchor = try #require(try sandbox.run("history", "--from", "all", "--json").json()["anchor"].text)
    #expect(try sandbox.run("imports", "remove", "1", "--yes").text.hasSuffix(" removed\n"))
    #expect(try ids().isEmpty)
    let after = try sandbox.run("history", "--json", "--after", anchor).json()
    #expect(Set(after["deleted"].elements.compactMap(\.text)) == Set(before))
    #expect(try sandbox.run("import", "a.csv", "--time-zone", "Europe/Rome", "--json").json()["import"] == .number(2))
    #expect(try ids() == before)
  }

  @Test("a merge is an import that can be removed, and a dry run of a merge is not an import")
  func merge() throws {
    try sandbox.copy("active.hex", to: "dump.hex")
    _ = try sandbox.run("import", "dump.hex", "--store", "laptop.sqlite")
    _ = try sandbox.run("import", "a.csv")
    let before = try ids()
    #expect(try sandbox.run("store", "merge", "laptop.sqlite", "--dry-run").status == 0)
    #expect(try sandbox.run("store", "merge", "laptop.sqlite").status == 0)
    let merged = try #require(try sandbox.run("imports", "--ndjson").ndjson().first)
    #expect(merged["formats"] == .array([.string("store")]) && merged["added"] == .number(48))
    let removed = try sandbox.run("imports", "remove", "2", "--yes")
    #expect(removed.text.contains("48 values from ") && removed.text.contains(" and 1 scan removed"))
    #expect(try ids() == before)
    #expect(try sandbox.run("store", "check").status == 0)
    #expect(try sandbox.run("sensors", "--json").json()["sensors"] == .array([]))
  }

  @Test("a finger-stick is removed by its value and time as typed, to the minute")
  func fingerStick() throws {
    #expect(try sandbox.run("add", "5.6mmol/L", "--at", "2024-05-02T12:20:37Z").status == 0)
    #expect(try sandbox.run("add", "104", "--at", "2024-05-02T12:20:50Z").status == 0)
    let unsaid = try sandbox.run("add", "5.6mmol/L", "--remove")
    #expect(unsaid.status == 64 && unsaid.errors.contains("--at TIME"))
    let arguments = ["add", "5.6mmol/L", "--at", "2024-05-02T12:20", "--time-zone", "UTC", "--remove"]
    let rehearsal = try sandbox.run(arguments + ["--dry-run"])
    #expect(rehearsal.text.hasPrefix("would remove 101 mg/dL at 2024-05-02 12:20:37 +00:00, finger-stick, id "))
    #expect(try ids().count == 2)
    #expect(try sandbox.run(arguments).text == rehearsal.text.replacing("would remove", with: "removed"))
    #expect(try sandbox.run(arguments).status == 66)
    #expect(try ids().count == 1)
    #expect(try sandbox.run("add", "104", "--dry-run").status == 64)
  }

  @Test("an id removes an imported value, or a sensor's sample that no later import of its memory restores")
  func byID() throws {
    try sandbox.copy("active.hex", to: "dump.hex")
    _ = try sandbox.run("import", "dump.hex", "a.csv")
    let samples = try sandbox.run("history", "--from", "all", "--ring", "all", "--ndjson").ndjson()
    let sample = try #require(samples.first { $0["minute"].number != nil }?["id"].text)
    let imported = try #require(samples.first { $0["source"].text != nil }?["id"].text)
    for (id, words) in [(sample, " of sensor 0M"), (imported, " imported from ")] {
      let rehearsal = try sandbox.run("add", "--remove", id, "--dry-run")
      #expect(rehearsal.text.contains(words) && rehearsal.text.hasSuffix(", id \(id)\n"), "\(rehearsal.text)")
      #expect(try ids().contains(id))
      #expect(try sandbox.run("add", "--remove", id).status == 0)
      #expect(try sandbox.run("add", "--remove", id).status == 66)
    }
    let again = try sandbox.run("import", "dump.hex", "a.csv", "--json").json()
    #expect(again.elements.map { $0["left_out"] } == [.number(1), .number(1)])
    #expect(again.elements.map { $0["known"] } == [.number(47), .number(2)])
    #expect(try Set(ids()).isDisjoint(with: [sample, imported]))
    #expect(try sandbox.run("store", "check").status == 0)
    let typed = try sandbox.run("add", sample)
    #expect(typed.status == 64 && typed.errors.contains("libre add --remove \(sample)"))
  }

  @Test("the rows of an import are the sum of its numbers, in the summary and in the list")
  func sums() throws {
    try sandbox.write(
      "time,mg_dL\n2024-05-02T10:00:00Z,104\n2024-05-02T10:15:00Z,NA\n2024-05-02T10:00:00Z,104\n2024-05-02T10:30:00Z,x\n",
      to: "b.csv")
    let refused = try sandbox.run("import", "b.csv")
    #expect(
      refused.status == 65 && refused.output.isEmpty && refused.errors.contains("--keep-going"), "\(refused.errors)")
    #expect(try sandbox.run("imports").lines.count <= 1)
    let kept = try sandbox.run("import", "b.csv", "--keep-going")
    #expect(kept.text.hasPrefix("b.csv (table): 1 new value, 1 known, 2 left out\n"), "\(kept.text)")
    #expect(kept.errors.contains("line 5: glucose is invalid: \"x\""), "\(kept.errors)")
    let listed = try #require(try sandbox.run("imports", "--json").json()["imports"].elements.first)
    let sum = ["added", "filled", "known", "conflicts", "left_out"].compactMap { listed[$0].number }.reduce(0, +)
    #expect(sum == 4)
  }

  @Test("a table of an unknown program is told which columns it needs, and read by the names that the user gives")
  func columns() throws {
    try sandbox.write("when,BG\n2024-05-02T10:00:00Z,5.6\n2024-05-02T10:15:00Z,6.1\n", to: "c.csv")
    let unknown = try sandbox.run("import", "c.csv")
    #expect(unknown.status == 65 && unknown.errors.contains("--time-column") && !unknown.errors.contains("dump"))
    let named = ["import", "c.csv", "--time-column", "when", "--glucose-column", "BG"]
    let unit = try sandbox.run(named)
    #expect(unit.status == 65 && unit.errors.contains("--unit"), "\(unit.errors)")
    let wrong = try sandbox.run(named + ["--unit", "mg/dL"])
    #expect(wrong.status == 65 && wrong.errors.contains("add --unit mmol/L"), "\(wrong.errors)")
    #expect(try sandbox.run(named + ["--unit", "mmol/L"]).text.contains("2 new values"))
  }
}
