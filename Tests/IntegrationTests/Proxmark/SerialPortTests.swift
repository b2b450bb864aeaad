// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

@testable import NFCTransport

@Suite("A serial port", .onOwnThreads, .startsProcesses)
struct SerialPortTests {
  private let terminal: PseudoTerminal

  init() throws { terminal = try PseudoTerminal() }

  private func later() -> ContinuousClock.Instant { .now + .seconds(60) }

  @Test("transfers every byte unchanged, in both directions")
  func raw() async throws {
    let port = try DeviceLine(port: terminal.path)
    let bytes = (0...255).map { UInt8($0) }
    terminal.write(bytes)
    var received: [UInt8] = []
    while received.count < bytes.count { received += try port.read(until: later()) { true } }
    #expect(received == bytes)
    try port.write(bytes, until: later())
    var sent: [UInt8] = []
    for await piece in terminal.received {
      sent += piece
      if sent.count >= bytes.count { break }
    }
    #expect(sent == bytes)
  }

  @Test("discards bytes that arrived before it was opened")
  func flushed() throws {
    let descriptor = open(terminal.path, O_RDWR | O_NOCTTY)
    terminal.write([1, 2, 3])
    var waiting: Int32 = 0
    while waiting < 3 { _ = ioctl(descriptor, UInt(FIONREAD), &waiting) }
    close(descriptor)
    let port = try DeviceLine(port: terminal.path)
    #expect(try port.read(until: .now) { true } == [])
  }

  @Test(
    "ends a wait after its timeout or when it is cancelled, a write when it is unplugged, and both when it is closed")
  func ends() throws {
    let port = try DeviceLine(port: terminal.path)
    #expect(try port.read(until: .now) { true } == [])
    var looks = 0
    #expect(throws: TransportError.cancelled) {
      try port.read(until: later()) {
        looks += 1
        return looks < 3
      }
    }
    #expect(throws: TransportError.readerUnplugged(name: terminal.path)) {
      terminal.unplug()
      for _ in 0..<1_000 { try port.write([UInt8](repeating: 0, count: 4_096), until: later()) }
    }
    port.close()
    port.close()
    let closed = TransportError.readerFailed(name: terminal.path, reason: "it is closed")
    #expect(throws: closed) { try port.write([1], until: later()) }
    #expect(throws: closed) { try port.read(until: later()) { true } }
  }
}
