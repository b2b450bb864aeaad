// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Glibc
import TestSupport
import Testing

/// The built command on a Proxmark3 played on a pseudo-terminal.
@Suite("libre with a Proxmark3", .onOwnThreads, .startsProcesses)
struct ProxmarkCommandTests {
  private let sandbox: Sandbox
  private let image = ProxmarkReaderTests.image

  init() throws { sandbox = try Sandbox() }

  private func address(_ device: ProxmarkEmulator) -> String { "proxmark:\(device.port.path)" }

  @Test("read prints the same as decode for the same memory")
  func read() async throws {
    let device = try ProxmarkEmulator(tag: ProxmarkReaderTests.tag)
    let outcome = try await sandbox.libre(["read", "--json", "--reader", address(device)])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let reading = try outcome.json()
    try sandbox.write(image.bytes, to: "dump.bin")
    let dump = try await sandbox.libre(["decode", "--json", "dump.bin"]).json()
    #expect(reading.measured == dump.measured)
    #expect(reading["sensor"]["uid"].text == image.uid?.description)
    #expect(reading["reader"]["dialect"] == .string("proxmark3"))
    #expect(reading["reader"]["name"] == .string("Proxmark3 v4.21611"))
    try await eventually("the session is over") { await device.isSessionOver }
    #expect(await !device.fieldIsOn)
  }

  @Test("Ctrl-C, SIGHUP and SIGTERM switch the field off", arguments: [SIGINT, SIGHUP, SIGTERM])
  func signal(number: Int32) async throws {
    let device = try ProxmarkEmulator()
    let program = try sandbox.start(["read", "--reader", address(device)])
    try await eventually("a sensor is waited for") { await device.exchangeCount > 1 }
    program.send(number)
    let outcome = try await blocking { try program.outcome() }
    #expect(outcome.status == 130)
    try await eventually("the session is over") { await device.isSessionOver }
    #expect(await !device.fieldIsOn)
  }
}
