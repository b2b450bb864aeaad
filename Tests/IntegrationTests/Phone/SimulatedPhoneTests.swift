// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// The built command with the phone that it simulates, at a port of this machine.
@Suite("A simulated phone", .onOwnThreads, .startsProcesses)
struct SimulatedPhoneTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private func read(_ address: String) async throws -> Outcome {
    try await sandbox.libre(["read", "--reader", address, "--json", "--no-store"])
  }

  @Test(
    "reads a sensor as well as no phone does, that of the scenario active if no other one is named",
    arguments: ["", ":libre2:7", ":pro:7"])
  func products(sensor: String) async throws {
    let outcome = try await read("sim:phone\(sensor)")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let reading = try outcome.json()
    let expected = try await read("sim:\(sensor.isEmpty ? "active" : String(sensor.dropFirst()))").json()
    #expect(reading.measured == expected.measured)
    #expect(sensor.isEmpty || reading["sensor"]["uid"] == expected["sensor"]["uid"])
    #expect(reading["reader"]["address"].text == "sim:phone\(sensor)")
    #expect(reading["reader"]["dialect"].text == "nfcgate")
    // What is to be done on a phone is not said.
    #expect(!outcome.errors.contains("NFCGate"))
  }

  @Test("is not there for an unknown scenario", arguments: ["nothing", "", "active:x"])
  func unknown(scenario: String) async throws {
    let outcome = try await read("sim:phone:\(scenario)")
    #expect(try outcome.status == 64 && outcome.json()["code"].text == "unknown_address", "\(outcome.errors)")
  }
}
