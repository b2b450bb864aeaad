// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite("libre meter with a simulated meter", .startsProcesses)
struct SimulatedMeterTests {
  private let sandbox = Sandbox.new()

  private func records(_ outcome: Outcome, _ result: String) throws -> [JSONValue] {
    try outcome.json()["records"].elements.filter { $0["outcome"] == .string(result) }
  }

  @Test("stores finger-sticks once, in a store that is named")
  func once() throws {
    let first = try sandbox.done("meter", "read", "sim:meter", "--store", "s.sqlite", "--json")
    let new = try records(first, "new")
    #expect(try !new.isEmpty && !records(first, "left_aside").isEmpty)
    let again = try sandbox.run("meter", "read", "sim:meter", "--store", "s.sqlite", "--all", "--json")
    #expect(try records(again, "new").isEmpty)
    let sticks = try sandbox.run("history", "--store", "s.sqlite", "--from", "all", "--finger-sticks", "--ndjson")
    #expect(try sticks.ndjson().count { $0["ring"] == .string("finger_stick") } == new.count)
    try sandbox.done("meter", "read", "sim:meter")
    #expect(try sandbox.run("meters", "--json").json()["meters"].elements.isEmpty)
  }

  @Test("without Bluetooth the meters of the store are listed with a notice, and only a search is an error")
  func noBluetooth() throws {
    try sandbox.done("meter", "read", "sim:meter", "--store", "s.sqlite")
    let environment = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(sandbox.path("no-bus"))"]
    let list = try sandbox.run(["meters", "--store", "s.sqlite"], environment: environment)
    #expect(list.status == 0 && list.text.contains("finger-sticks") && !list.text.contains("Try: "), "\(list)")
    // Whether it is paired cannot be asked.
    #expect(list.text.contains("unknown") && !list.text.contains("paired"), "\(list)")
    #expect(list.errors.contains("paired meters are not listed: ") && list.errors.contains("Try: "))
    let document = try sandbox.done(["meters", "--store", "s.sqlite", "--json"], environment: environment)
    #expect(try document.json()["meters"].elements.map { $0["address"] } == [.string("sim:meter")])
    #expect(try document.json()["meters"].elements.map { $0["is_paired"] } == [.null])
    #expect(try document.json()["error"]["message"].text != nil)
    let search = try sandbox.run(["meters", "--store", "s.sqlite", "--scan", "1"], environment: environment)
    #expect(search.status == 69 && search.text.contains("finger-sticks"), "\(search)")
    #expect(search.errors.contains("Try: ") && !search.errors.contains("paired meters"), "\(search.errors)")
  }
}
