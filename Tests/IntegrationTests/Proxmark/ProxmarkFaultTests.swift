// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Glibc
import LibreKit
import NFCTransport
import TestSupport
import Testing

@testable import NFCTransport

/// Faults of the connection to a Proxmark3, simulated on a pseudo-terminal.
@Suite("A Proxmark3, with faults", .onOwnThreads, .startsProcesses)
struct ProxmarkFaultTests {
  private func open(_ device: ProxmarkEmulator, limit: Duration = .seconds(60)) async throws -> any TagReader {
    try await ProxmarkBackend(limit: limit, clock: SleptClock()).open(.proxmark(port: device.port.path))
  }

  private func isOff(_ device: ProxmarkEmulator) async throws -> Bool {
    try await eventually("the session is over") { await device.isSessionOver }
    return await !device.fieldIsOn
  }

  // MARK: An exchange goes wrong

  /// Every exchange of a whole read, and one more, which does not come.
  private static let exchanges = 1...19

  @Test(
    "a read with one corrupted or extra answer returns the same memory, and switches the field off",
    arguments: [
      ProxmarkEmulator.Fault.silence, .wrongChecksum, .empty, .short, .garbled, .chatter, .pieces, .rubbish,
    ])
  func anomaly(fault: ProxmarkEmulator.Fault) async throws {
    for exchange in Self.exchanges {
      for firmware in [ProxmarkEmulator.Firmware.newest, ProxmarkEmulator.Firmware.usable[0]] {
        let device = try ProxmarkEmulator(firmware, tag: ProxmarkReaderTests.tag)
        await device.spoil(exchange, with: fault)
        let report = await (try open(device)).scanned()
        #expect(report.failure == nil, "\(fault) at \(exchange)")
        #expect(report.image.bytes == ProxmarkReaderTests.image.bytes, "\(fault) at \(exchange)")
        #expect(report.image.patchInfo == ProxmarkReaderTests.image.patchInfo, "\(fault) at \(exchange)")
        #expect(try await isOff(device))
      }
    }
  }

  // MARK: The port, and what is behind it

  @Test("a port that another program uses is reported, whichever kind of lock that program has")
  func busy() async throws {
    let device = try ProxmarkEmulator()
    let path = device.port.path
    let reader = try await open(device)
    await #expect(throws: TransportError.port(path: path, .busy)) { try await open(device) }
    await reader.close()
    let other = Glibc.open(path, O_RDWR | O_NOCTTY)
    defer { Glibc.close(other) }
    flock(other, LOCK_EX)
    await #expect(throws: TransportError.port(path: path, .busy)) { try await open(device) }
    flock(other, LOCK_UN)
    await (try open(device)).close()
  }

  @Test(
    "a port that cannot be used is reported with its name and the reason",
    arguments: [
      ("/dev/ttyNone", .missing), ("/dev/null", .notSerial),
      // The kernel refuses to open this for writing, to root as well.
      ("/proc/sys/kernel/osrelease", .denied(group: nil)),
    ]
      as [(String, TransportError.PortFault)])
  func port(path: String, fault: TransportError.PortFault) async {
    await #expect(throws: TransportError.port(path: path, fault)) {
      try await ProxmarkBackend().open(.proxmark(port: path))
    }
  }

  // MARK: The user gives up

  @Test("a read that is cancelled at any exchange switches the field off", arguments: [1, 5, 12])
  func cancelled(exchange: Int) async throws {
    let device = try ProxmarkEmulator(tag: ProxmarkReaderTests.tag)
    await device.spoil(exchange, with: .mute)
    let reader = try await open(device)
    let reading = Task(executorPreference: OwnThreads.shared) { await reader.scanned().failure }
    try await eventually("the device was asked") { await device.exchangeCount == exchange }
    reading.cancel()
    #expect(await reading.value == .cancelled)
    #expect(try await isOff(device))
  }

  @Test("opening a device can be cancelled, and then its port is free")
  func cancelledOpening() async throws {
    let device = try ProxmarkEmulator(hangs: true)
    let opening = Task(executorPreference: OwnThreads.shared) { try await open(device) }
    try await eventually("the device was asked") { await device.isAsked }
    opening.cancel()
    await #expect(throws: TransportError.cancelled) { try await opening.value }
    try DeviceLine(port: device.port.path).close()
  }
}
