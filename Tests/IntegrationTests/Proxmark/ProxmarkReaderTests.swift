// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import LibreKit
import NFCTransport
import TestSupport
import Testing

@testable import NFCTransport

/// Whole reads with every generation of firmware, played on a pseudo-terminal.
@Suite("A Proxmark3", .onOwnThreads, .startsProcesses)
struct ProxmarkReaderTests {
  static let image = Scenario.named("active")!.image(seed: 7)

  static var tag: SimulatedTag { SimulatedTag { _ in image } }

  /// The device answers at once; its own client waits two seconds.
  private func open(
    _ device: ProxmarkEmulator, clock: any Clock<Duration> = SleptClock()
  ) async throws -> any TagReader {
    try await ProxmarkBackend(limit: .seconds(60), clock: clock).open(.proxmark(port: device.port.path))
  }

  private func scan(_ reader: any TagReader) async -> ScanReport {
    await ScanRunner.run(on: reader, limit: .seconds(60), now: { Instant(secondsSince1970: 1_700_000_000) })
  }

  @Test("reads the whole memory with 15 block reads", arguments: ProxmarkEmulator.Firmware.usable)
  func wholeRead(firmware: ProxmarkEmulator.Firmware) async throws {
    let device = try ProxmarkEmulator(firmware, tag: Self.tag)
    let reader = try await open(device)
    #expect(await !device.fieldIsOn)
    let report = await scan(reader)
    await reader.close()
    #expect(report.failure == nil)
    #expect(report.image.bytes == Self.image.bytes && report.image.uid == Self.image.uid)
    #expect(report.image.patchInfo == Self.image.patchInfo)
    try await eventually("the session is over") { await device.isSessionOver }
    #expect(await !device.fieldIsOn)
    // Two inventories, the patch info, and the blocks.
    #expect(await device.exchangeCount == 3 + 15)
  }

  @Test("is refused if its firmware cannot read sensors, and is sent no frame")
  func unusable() async throws {
    let device = try ProxmarkEmulator(ProxmarkEmulator.Firmware.unusable[2].0, tag: Self.tag)
    let error = await #expect(throws: TransportError.self) { try await open(device) }
    #expect(error?.code == "reader_unfit" && error?.message.contains("v4.17768") == true)
    try await eventually("the session is over") { await device.isSessionOver }
    #expect(await device.exchangeCount == 0)
    #expect(await !device.hasTransmittedGarbage)
  }

  @Test("reports its name and its type")
  func description() async throws {
    let device = try ProxmarkEmulator()
    let reader = try await open(device)
    #expect(
      await reader.description
        == ReaderDescription(
          address: "proxmark:\(device.port.path)", name: "Proxmark3 v4.21611", dialect: "proxmark3"))
    await reader.close()
    await reader.close()
    await #expect(throws: TransportError.self) { try await reader.exchange(.inventory) }
  }

  @Test("waits for a sensor, and switches its field off and on before each search")
  func waiting() async throws {
    let device = try ProxmarkEmulator()
    let clock = SleptClock()
    let reader = try await open(device, clock: clock)
    await device.after(10, put: Self.tag)
    try await reader.waitForTag(within: .seconds(60))
    #expect(clock.now.slept == .seconds(2))
    #expect(await device.commands.filter { $0.number == 0x0313 }.allSatisfy { $0.data[0] == 0x33 })
    await device.after(1, put: nil)
    try await reader.waitForRemoval()
    await #expect(throws: TransportError.noTag) { try await reader.waitForTag(within: .seconds(1)) }
    await reader.close()
    try await eventually("the session is over") { await device.isSessionOver }
    #expect(await !device.fieldIsOn)
  }
}
