// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

struct StatsCommandTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.copy("active.hex", to: "dump.hex")
  }

  private func stats(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
    try sandbox.run(["stats", "--store", "store.sqlite"] + arguments, environment: environment)
  }

  @Test("counts what history shows, by local day")
  func days() throws {
    try ImportedStore.copy(in: sandbox, readAt: "2024-05-02T03:15:00Z")
    let samples = try sandbox.run("history", "--store", "store.sqlite", "--from", "all", "--ndjson").ndjson()
    let values = samples.filter { $0["quality"] == .string("ok") }.compactMap { $0["glucose_mg_dl"].number }
    let span = ["--from", "2024-05-01", "--to", "2024-05-02"]
    let json = try sandbox.run(["stats", "--store", "store.sqlite", "--json"] + span).json()
    #expect(json["days"].elements.map { $0["date"] } == [.string("2024-05-01"), .string("2024-05-02")])
    #expect(json["days"].elements.map { $0["expected"] } == [.number(96), .number(96)])
    #expect(json["total"]["values"] == .number(Double(values.count)))
    let mean = values.reduce(0, +) / Double(values.count)
    #expect(abs(try #require(json["total"]["mean_mg_dl"].number) - mean) < 1e-3)
    #expect(json["is_enough_for_report"] == .bool(false))
    let auckland = try sandbox.run(
      ["stats", "--store", "store.sqlite", "--json", "--time-zone", "Pacific/Auckland"] + span
    ).json()
    #expect(auckland["days"].elements.map { $0["date"] } == [.string("2024-05-02")])
    #expect(auckland["time_zone"] == .string("Pacific/Auckland"))
    #expect(try sandbox.run(["stats", "--store", "store.sqlite", "--csv"] + span).lines.count == 3)
    let table = try sandbox.run(["stats", "--store", "store.sqlite"] + span)
    #expect(table.text.contains("Not enough data for a report") && table.text.contains("Not for treatment decisions."))
  }

  @Test("the values that a day counts can be had with it")
  func samples() throws {
    try ImportedStore.copy(in: sandbox, readAt: "2024-05-02T03:15:00Z")
    let days = try stats("--from", "all", "--json", "--samples").json()["days"].elements
    #expect(days.count == 2)
    for day in days {
      let samples = day["samples"].elements
      #expect(day["values"].number == Double(samples.count))
      #expect(samples.allSatisfy { $0["time"].text?.hasPrefix(day["date"].text ?? "?") == true })
      let values = samples.compactMap { $0["glucose_mg_dl"].number }
      #expect(values.max() == day["max_mg_dl"].number && values.min() == day["min_mg_dl"].number)
    }
    let shown = try sandbox.run("history", "--store", "store.sqlite", "--from", "all", "--ndjson").ndjson()
    let counted = Set(days.flatMap { $0["samples"].elements }.compactMap { $0["time"].text })
    #expect(counted == Set(shown.filter { $0["quality"] == .string("ok") }.compactMap { $0["time"].text }))
    #expect(try stats("--from", "all", "--json").json()["days"].elements.allSatisfy { !$0.keys.contains("samples") })
    #expect(try stats("--samples").status == 64)
  }

  @Test("the last 14 days without values have no numbers, and a hint where there are some")
  func empty() throws {
    #expect(try stats().status == 66)
    try ImportedStore.copy(in: sandbox, readAt: "2024-05-02T03:15:00Z")
    let json = try stats("--json")
    // The ends cut a quarter in two each, unless they fall on a quarter.
    #expect([1_343, 1_344].contains(try json.json()["total"]["expected"].number))
    #expect(try json.json()["total"]["mean_mg_dl"] == .null)
    #expect(json.errors.contains("the newest is of 2024-05-02") && json.errors.contains("Try: libre stats --from all"))
    #expect(try stats("--json", "--csv").status == 64)
    #expect(try stats("--by", "hour").status == 64)
  }
}
