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

  @Test("reads an encrypted sensor and a Libre Pro as well as no phone does", arguments: ["libre2", "pro"])
  func products(scenario: String) async throws {
    let outcome = try await read("sim:phone:\(scenario):7")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let reading = try outcome.json()
    let expected = try await read("sim:\(scenario):7").json()
    #expect(reading.measured == expected.measured)
    #expect(reading["sensor"]["uid"] == expected["sensor"]["uid"])
    #expect(reading["reader"]["address"].text == "sim:phone:\(scenario):7")
    #expect(reading["reader"]["dialect"].text == "nfcgate")
  }

  @Test("has the sensor of the scenario active at its back if no other one is named")
  func standard() async throws {
    let outcome = try await read("sim:phone")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try await read("sim:active").json().measured == outcome.json().measured)
    // What is to be done on a phone is not said.
    #expect(!outcome.errors.contains("NFCGate"))
  }

  @Test("is not there for an unknown scenario", arguments: ["sim:phone:nothing", "sim:phone:", "sim:phone:active:x"])
  func unknown(address: String) async throws {
    let outcome = try await read(address)
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(try outcome.json()["code"].text == "unknown_address")
  }
}
