// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import LibreKit
import Synchronization
import TestSupport
import Testing

@testable import NFCTransport

/// Whole reads with a phone that connects over a TCP port of this machine, as through adb. Those in which a message is lost
/// or late, and what a user is told of what is wrong, are in PhoneSituationsTests.
@Suite("A phone with NFCGate", .onOwnThreads, .startsProcesses)
struct PhoneReaderTests {
  private static let image = Scenario.named("active")!.image(seed: 7)

  /// A reader at a port that is free, and the port.
  private static func open(_ limit: Duration = .seconds(60)) async throws -> (reader: any TagReader, port: Int) {
    let port = Mutex(0)
    let backend = PhoneBackend(
      limit: limit, clock: SleptClock(), onListening: { number in port.withLock { $0 = Int(number) } })
    let reader = try await backend.open(ReaderAddress(scheme: "phone", rest: "0"))
    return (reader, port.withLock { $0 })
  }

  private static let tag = SimulatedTag { _ in image }

  @Test("asks by the UID where a phone loses frames that are not addressed")
  func addressed() async throws {
    let (reader, port) = try await Self.open(.seconds(1))
    var habits = PhoneEmulator.Habits()
    habits.answersAddressedOnly = true
    let phone = try #require(PhoneEmulator(port: port, tag: Self.tag, habits: habits))
    let report = await reader.scanned()
    #expect(report.failure == nil && report.image.bytes == Self.image.bytes)
    // Once it is known, nothing else is tried.
    #expect(phone.frames.suffix(15).allSatisfy { $0[0] == 0x22 })
  }

  @Test("turns a second phone away, and reads with the first")
  func second() async throws {
    let (reader, port) = try await Self.open()
    let phone = try #require(PhoneEmulator(port: port, tag: Self.tag))
    try await reader.waitForTag(within: .seconds(60))
    let other = try #require(LoopbackConnection(to: port))
    _ = try await reader.exchange(.inventory)
    #expect(other.received(count: 1) == nil)
    #expect(await reader.scanned().failure == nil && !phone.frames.isEmpty)
  }

  @Test("says that no phone has connected, after which a program that waits goes on, and gives its port back")
  func absence() async throws {
    let (reader, port) = try await Self.open()
    let error = TransportError.noPhone(port: port)
    await #expect(throws: error) { try await reader.waitForTag(within: .seconds(1)) }
    #expect(error.isAbsence)
    await reader.close()
    await (try PhoneBackend().open(.phone(port: UInt16(port)))).close()
  }
}
