// SPDX-License-Identifier: Apache-2.0
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

  @Test("an import says what it left out and why; imports are listed as a table, JSON, JSON lines and CSV")
  func list() throws {
    #expect(try sandbox.run("imports").status == 66)
    let ignored = try sandbox.run(
      "import", "a.csv", "--time-zone", "Europe/Rome", "--ignore-source", "table", "--store", "other.sqlite")
    #expect(
      ignored.text == """
        a.csv (table): 0 new values, 0 known, 3 left out
          times without a zone are in Europe/Rome (--time-zone)
          3 left out: from the ignored source table

        """)
    _ = try sandbox.run("import", "a.csv", "--time-zone", "Europe/Rome")
    let table = try sandbox.run("imports")
    #expect(table.lines.count == 2 && table.lines.last?.hasSuffix("Europe/Rome  a.csv") == true, "\(table.text)")
    let document = try sandbox.run("imports", "list", "--json").json()
    #expect(document["schema"] == .string("libre.imports/1"))
    let line = try #require(try sandbox.run("imports", "--ndjson").ndjson().first)
    #expect(document["imports"] == .array([line]) && line["files"] == .array([.string("a.csv")]))
    #expect(line["added"] == .number(3) && line["time_zone"] == .string("Europe/Rome"))
    #expect(try sandbox.run("imports", "--csv").lines.count == 2)
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
    #expect(try sandbox.run("imports", "remove", "1", "7", "--yes").status == 66)
    #expect(try sandbox.run("imports", "remove", "1", "--yes").text.hasSuffix(" removed\n"))
    #expect(try ids().isEmpty)
    #expect(try sandbox.run("import", "a.csv", "--time-zone", "Europe/Rome", "--json").json()["import"] == .number(2))
    #expect(try ids() == before)
  }

  @Test("a finger-stick is removed by its value and time as typed, to the minute")
  func fingerStick() throws {
    try sandbox.done("add", "5.6mmol/L", "--at", "2024-05-02T12:20:37Z")
    try sandbox.done("add", "104", "--at", "2024-05-02T12:20:50Z")
    let unsaid = try sandbox.run("add", "5.6mmol/L", "--remove")
    #expect(unsaid.status == 64 && unsaid.errors.contains("--at TIME"))
    let arguments = ["add", "5.6mmol/L", "--at", "2024-05-02T12:20", "--time-zone", "UTC", "--remove"]
    let rehearsal = try sandbox.run(arguments + ["--dry-run"])
    #expect(rehearsal.text.hasPrefix("would remove 101 mg/dL at 2024-05-02 12:20:37 +00:00, finger-stick, id "))
    #expect(try ids().count == 2)
    #expect(try sandbox.run(arguments).text == rehearsal.text.replacing("would remove", with: "removed"))
    #expect(try sandbox.run(arguments).status == 66)
    #expect(try ids().count == 1)
  }

  @Test("an id removes an imported value or a sensor's sample")
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
      try sandbox.done("add", "--remove", id)
      #expect(try sandbox.run("add", "--remove", id).status == 66)
    }
    let typed = try sandbox.run("add", sample)
    #expect(typed.status == 64 && typed.errors.contains("libre add --remove \(sample)"))
  }

  @Test("a table of an unknown program is told which columns it needs, and read by the names that the user gives")
  func columns() throws {
    try sandbox.write("when,BG\n2024-05-02T10:00:00Z,5.6\n2024-05-02T10:15:00Z,6.1\n", to: "c.csv")
    let unknown = try sandbox.run("import", "c.csv")
    #expect(unknown.status == 65 && unknown.errors.contains("--time-column") && !unknown.errors.contains("dump"))
    let named = ["import", "c.csv", "--time-column", "when", "--glucose-column", "BG", "--unit", "mmol/L"]
    #expect(try sandbox.run(named).text.contains("2 new values"))
  }
}
