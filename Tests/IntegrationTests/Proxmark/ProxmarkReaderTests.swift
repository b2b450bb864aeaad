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
  private func open(_ device: ProxmarkEmulator) async throws -> any TagReader {
    try await ProxmarkBackend(limit: .seconds(60), clock: SleptClock()).open(.proxmark(port: device.port.path))
  }

  @Test("reads the whole memory with 15 block reads", arguments: ProxmarkEmulator.Firmware.usable)
  func wholeRead(firmware: ProxmarkEmulator.Firmware) async throws {
    let device = try ProxmarkEmulator(firmware, tag: Self.tag)
    let reader = try await open(device)
    #expect(await !device.fieldIsOn)
    let report = await reader.scanned()
    #expect(report.failure == nil)
    #expect(report.image.bytes == Self.image.bytes && report.image.uid == Self.image.uid)
    #expect(report.image.patchInfo == Self.image.patchInfo)
    try await eventually("the session is over") { await device.isSessionOver }
    #expect(await !device.fieldIsOn)
    // Two inventories, the patch info, and the blocks.
    #expect(await device.exchangeCount == 3 + 15)
  }

  @Test("is asked by the doctor for its firmware, and its field stays off")
  func doctor() async throws {
    let device = try ProxmarkEmulator()
    let usb = USBDevice(id: .init(vendor: 0x9AC4, product: 0x4B8F), product: "proxmark3", isCardReader: false)
    let port = SerialDevice(path: device.port.path, isUsable: true, usb: usb)
    let asked = await AskedReader.all(of: [ProxmarkBackend(limit: .seconds(60), ports: { [port] })])
    let diagnosis = Doctor(facts: SystemFacts(), pcsc: .failure(.noDaemon), asked: asked).diagnosis
    #expect(diagnosis.summary == "Ready: run libre read and hold a sensor on the Proxmark3 v4.21611")
    try await eventually("the session is over") { await device.isSessionOver }
    #expect(await device.exchangeCount == 0)
    #expect(await !device.fieldIsOn)
  }
}

extension TagReader {
  /// A scan, after which the reader is closed.
  func scanned() async -> ScanReport {
    let report = await ScanRunner.run(
      on: self, limit: .seconds(60), now: { Instant(secondsSince1970: 1_700_000_000) })
    await close()
    return report
  }
}
