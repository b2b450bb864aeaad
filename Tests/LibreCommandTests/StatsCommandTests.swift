// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

struct StatsCommandTests {
  private let sandbox = Sandbox.new()

  private func stats(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
    try sandbox.run(["stats", "--store", "store.sqlite"] + arguments, environment: environment)
  }

  @Test("stats counts the values that history shows, by local day")
  func days() throws {
    try ImportedStore.copy(in: sandbox, readAt: "2024-05-02T03:15:00Z")
    let samples = try sandbox.run("history", "--store", "store.sqlite", "--from", "all", "--ndjson").ndjson()
    let values = samples.filter { $0["quality"] == .string("ok") }.compactMap { $0["glucose_mg_dl"].number }
    let grouped = try stats("--from", "all", "--by", "sensor", "--json").json()["groups"].elements
    #expect(grouped.map { $0["values"].number } == [Double(values.count)])
    let span = ["--from", "2024-05-01", "--to", "2024-05-02"]
    let json = try sandbox.run(["stats", "--store", "store.sqlite", "--json", "--samples"] + span).json()
    let days = json["days"].elements
    #expect(days.map { $0["date"] } == [.string("2024-05-01"), .string("2024-05-02")])
    #expect(days.allSatisfy { $0["values"].number == Double($0["samples"].elements.count) })
    #expect(json["total"]["values"] == .number(Double(values.count)) && json["is_enough_for_report"] == .bool(false))
    #expect(try sandbox.run(["stats", "--store", "store.sqlite", "--csv"] + span).lines.count == 3)
    let table = try sandbox.run(["stats", "--store", "store.sqlite"] + span)
    #expect(table.text.contains("Not enough data for a report") && table.text.contains("Not for treatment decisions."))
  }

  @Test("stats can be limited to a source or a sensor, and lists the existing ones if a name is unknown")
  func scope() throws {
    try ImportedStore.copy(in: sandbox, readAt: "2024-05-02T03:15:00Z")
    try sandbox.write("time,mg_dL\n2024-05-02T10:00:00Z,104\n2024-05-02T10:15:00Z,106\n", to: "table.csv")
    try sandbox.done("import", "table.csv", "--store", "store.sqlite")
    func values(_ arguments: String...) throws -> Double? {
      try sandbox.run(["stats", "--store", "store.sqlite", "--from", "all", "--json"] + arguments)
        .json()["total"]["values"].number
    }
    let all = try #require(try values())
    #expect(try values("--source", "table") == 2)
    #expect(try values("--source", "table", "--source", "libre") == all)
    #expect(try values("--sensor", "E007") == all - 2)
    for (option, words) in [("--source", "--source accepts libre, table"), ("--sensor", "Try: libre sensors")] {
      for command in ["stats", "history", "compare"] {
        let unknown = try sandbox.run(command, "--store", "store.sqlite", option, "0M0")
        #expect(unknown.status == 66 && unknown.errors.contains(words), "\(command)")
      }
    }
    // A source named by an option is not ignored, even if the setting ignores it.
    try sandbox.write("ignore_sources = \"table\"\n", to: "config/libre/config.toml")
    #expect(try values() == all - 2)
    #expect(try values("--source", "table") == 2)
  }

  @Test("the numbers say where they come from: calibration, first and last value, what does not count, local times")
  func provenance() throws {
    try sandbox.write(
      "time,mg_dL\n2024-05-02T10:00,104\n2024-05-02T10:05,108\n2024-05-02T10:15,NA\n1999-01-01T00:00,99\n", to: "a.csv")
    let options = ["stats", "a.csv", "--time-zone", "Europe/Rome"]
    let json = try sandbox.run(options + ["--json"]).json()
    #expect(json["first"] == .string("2024-05-02T08:00:00Z") && json["last"] == json["first"])
    #expect(json["calibration"] == .string("as imported") && json["local_times_in"] == .string("Europe/Rome"))
    #expect(json["tool"].text?.hasPrefix("libre ") == true && json["left_out"] == .number(3))
    #expect(
      json["left_out_reasons"].elements.compactMap { $0["reason"].text } == [
        "beside another value of the same quarter of an hour", "of a time before 2000", "records without a value",
      ])
    let text = try sandbox.run(options).text
    #expect(text.contains("\nTimes without a zone are in Europe/Rome (--time-zone).\n"), "\(text)")
    #expect(text.contains("\nLeft out: 1 of a time before 2000; 1 records without a value.\n"), "\(text)")
    let csv = try sandbox.run(options + ["--csv"]).lines
    #expect(csv.last?.contains("2024-05-02T08:00:00Z,as imported,3,Europe/Rome,libre ") == true)
    try ImportedStore.copy(in: sandbox)
    #expect(try stats("--from", "all", "--json", "--calibration", "reader").json()["calibration"].text == "reader")
  }
}
