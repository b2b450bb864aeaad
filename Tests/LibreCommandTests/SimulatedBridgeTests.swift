// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite("libre read with a bridge", .startsProcesses)
struct SimulatedBridgeTests {
  private let sandbox = Sandbox.new()

  @Test("gives the same values as the sensor on a reader, and stores them if a store is named")
  func read() throws {
    let direct = try sandbox.run("read", "--reader", "sim:active", "--json").json()
    let outcome = try sandbox.done("read", "--reader", "sim:bridge", "--store", "s.sqlite", "--json")
    let reading = try outcome.json()
    #expect(reading["memory"] == direct["memory"] && reading["sensor"]["uid"] == direct["sensor"]["uid"])
    #expect(reading["reader"]["dialect"] == .string("miaomiao"))
    let history = ["history", "--store", "s.sqlite", "--from", "all", "--ndjson"]
    let stored = try sandbox.run(history).ndjson().count
    #expect(stored > 0)
    let bubble = try sandbox.run("read", "--reader", "sim:bridge:bubble:low-battery", "--store", "s.sqlite", "--json")
    #expect(try bubble.json()["memory"] == direct["memory"])
    #expect(bubble.errors.contains("is at 15 %") && !outcome.errors.contains("battery"))
    #expect(try sandbox.run(history).ndjson().count == stored)
  }

  @Test("shows the charge of its battery in the reading and in the state, until another reader has read the sensor")
  func battery() throws {
    let bridge = try sandbox.run("read", "--reader", "sim:bridge:low-battery", "--store", "s.sqlite", "--json")
    #expect(try bridge.json()["reader"]["battery_percent"] == .number(15))
    let status = ["status", "--store", "s.sqlite"]
    let sensor = try sandbox.run(status + ["--json"]).json()["sensor"]
    #expect(sensor["last_reader_battery_percent"] == .number(15))
    #expect(sensor["last_reader"].text?.hasPrefix("miaomiao2 simulated") == true)
    let shown = try sandbox.run(status).text
    #expect(shown.contains(", whose battery is at 15 %\n                Try: charge it soon\n"), "\(shown)")
    _ = try sandbox.run("read", "--reader", "sim:expired", "--store", "t.sqlite")
    let other = try sandbox.run("status", "--store", "t.sqlite", "--json").json()["sensor"]
    #expect(other["last_reader"].text == "simulated sensor" && other["last_reader_battery_percent"] == .null)
  }

  @Test("explains a bridge without a reading, and takes another sensor only with --accept-sensor")
  func refusals() throws {
    let other = try sandbox.run("read", "--reader", "sim:bridge:other-sensor")
    #expect(other.status == 69 && other.errors.contains("consent") && other.errors.contains("--accept-sensor"))
    try sandbox.done("read", "--reader", "sim:bridge:other-sensor", "--accept-sensor")
    let lost = try sandbox.run("read", "--reader", "sim:bridge:drop")
    #expect(lost.status == 69 && lost.errors.contains("the connection was lost") && lost.errors.contains("Try: "))
    // The way to Bluetooth is named where it is missing, also when bridges are searched for.
    let environment = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(sandbox.path("no-bus"))"]
    let read = try sandbox.run(["read", "--reader", "bridge"], environment: environment)
    #expect(read.status == 69 && read.errors.contains("Try: libre doctor"), "\(read.errors)")
    #expect(read.errors.contains("cannot raise an alarm"))
    let scan = try sandbox.run(["bridges", "--scan", "--json"], environment: environment)
    #expect(scan.status == 69 && scan.errors.contains("Try: "), "\(scan.errors)")
  }

  @Test("has a list of the kinds of bridges, with the reason for those that are not read")
  func kinds() throws {
    let outcome = try sandbox.done("bridges")
    #expect(
      outcome.lines.contains("yes  MiaoMiao 1, 2, 3") && outcome.text.contains("no   BluCon, NightRider: it wants"))
    #expect(outcome.text.contains("untested on hardware"))
    #expect(try sandbox.run("bridges", "--json").status == 64)
  }
}
