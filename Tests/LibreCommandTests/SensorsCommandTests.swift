// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

struct SensorsCommandTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private func run(_ arguments: String...) throws -> Outcome {
    try sandbox.run(arguments + ["--store", "store.sqlite"])
  }

  @Test("sensors lists every sensor that was read, and shows the current one or the one that is named")
  func sensors() throws {
    let reading = try run("read", "--json", "--reader", "sim:active").json()
    try sandbox.copy("active.hex", to: "dump.hex")
    #expect(try run("import", "dump.hex", "--read-at", "2024-05-02T10:15:00Z").status == 0)
    let list = try run("sensors")
    #expect(list.status == 0 && list.lines.count == 3 && list.errors.isEmpty)
    #expect(list.lines[1].hasSuffix(" active") && list.lines[2].hasSuffix(" ended"))
    let sensors = try run("sensors", "--json").json()["sensors"].elements
    #expect(sensors.count == 2 && sensors[0]["uid"] == reading["sensor"]["uid"])
    let serial = try #require(sensors[1]["serial"].text)
    #expect(try run("sensor", "show", "--json").json()["sensors"] == .array([sensors[0]]))
    #expect(try run("sensor", "show", serial, "--json").json()["sensors"] == .array([sensors[1]]))
    let shown = try run("sensor", "show", serial)
    #expect(
      shown.status == 0 && shown.text.contains("\(serial): ended\n") && shown.text.contains("from the scan at "))
    #expect(try run("sensor", "show", "9Z").status == 66)
  }
}
