// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

/// The built command on a Proxmark3 played on a pseudo-terminal.
@Suite("libre with a Proxmark3", .onOwnThreads, .startsProcesses)
struct ProxmarkCommandTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private func address(_ device: ProxmarkEmulator) -> String { "proxmark:\(device.port.path)" }

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
