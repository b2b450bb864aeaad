// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import LibreKit
import NFCTransport
import TestSupport
import Testing

@testable import NFCTransport

/// Whole reads with every generation of firmware, played on a pseudo-terminal.
@Suite("A Flipper Zero", .onOwnThreads, .startsProcesses)
struct FlipperReaderTests {
  static let image = Scenario.named("active")!.image(seed: 7)
  static let tag = FlipperEmulator.Tag(
    memory: image.bytes, uid: image.uid!.bytes, patchInfo: image.patchInfo!.bytes)

  /// The device answers at once; a Flipper has two seconds.
  private func open(_ device: FlipperOnPort) async throws -> any TagReader {
    try await FlipperBackend(limit: .seconds(60), clock: SleptClock()).open(.flipper(port: device.port.path))
  }

  @Test(
    "reads the whole memory with 15 block reads, however its answers are split into pieces",
    arguments: [FlipperEmulator.Firmware(), .first], [false, true])
  func wholeRead(firmware: FlipperEmulator.Firmware, inPieces: Bool) async throws {
    let device = try FlipperOnPort(FlipperEmulator(firmware, tag: Self.tag), inPieces: inPieces)
    let reader = try await open(device)
    #expect(await !device.flipper.fieldIsOn)
    let report = await reader.scanned()
    #expect(report.failure == nil)
    #expect(report.image.bytes == Self.image.bytes && report.image.uid == Self.image.uid)
    #expect(report.image.patchInfo == Self.image.patchInfo)
    #expect(await !device.flipper.fieldIsOn)
    #expect(await device.flipper.typed.suffix(5) == Array("exit\r".utf8)[...])
    // Two inventories, the patch info, and the blocks.
    #expect(await device.flipper.frameCount == 3 + 15)
  }

  @Test("reports what it is, can be closed twice, and releases its port")
  func description() async throws {
    let device = try FlipperOnPort(FlipperEmulator(tag: Self.tag))
    for _ in 0..<2 {
      let reader = try await open(device)
      let path = device.port.path
      #expect(
        await reader.description
          == ReaderDescription(address: "flipper:\(path)", name: "Flipper Zero on \(path)", dialect: "flipper-raw"))
      await #expect(throws: TransportError.port(path: path, .busy)) { try await open(device) }
      await reader.close()
      await reader.close()
      await #expect(throws: TransportError.self) { try await reader.exchange(.inventory) }
    }
  }

  // MARK: The port

  @Test("is asked by the doctor for its NFC shell, which is closed again without sending a frame")
  func doctor() async throws {
    let device = try FlipperOnPort(FlipperEmulator(tag: Self.tag))
    let usb = USBDevice(
      id: .init(vendor: 0x0483, product: 0x5740), manufacturer: "Flipper Devices Inc.", product: "Flipper Anubis",
      isCardReader: false)
    let port = SerialDevice(path: device.port.path, isUsable: true, usb: usb)
    let asked = await AskedReader.all(of: [FlipperBackend(limit: .seconds(60), ports: { [port] })])
    let diagnosis = Doctor(facts: SystemFacts(), pcsc: .failure(.noDaemon), asked: asked).diagnosis
    #expect(diagnosis.summary == "Ready: run libre read and hold a sensor on the Flipper Zero on \(port.path)")
    #expect(await device.flipper.frameCount == 0)
    #expect(await device.flipper.lines.suffix(2) == ["nfc", "exit"])
  }

  @Test("a Flipper is identified by its USB number and its name, because other devices have the same number")
  func found() async throws {
    func port(_ path: String, _ product: UInt16, _ manufacturer: String?, _ name: String?) -> SerialDevice {
      SerialDevice(
        path: path, isUsable: true,
        usb: USBDevice(
          id: .init(vendor: 0x0483, product: product), manufacturer: manufacturer, product: name, isCardReader: false))
    }
    let ports = [
      port("/dev/ttyACM0", 0x5740, "STMicroelectronics", "STM32 Virtual ComPort"),
      port("/dev/ttyACM1", 0x5741, "Flipper Devices Inc.", "Flipper Anubis"),
      SerialDevice(path: "/dev/ttyACM2", isUsable: true),
      port("/dev/ttyACM3", 0x5740, "Flipper Devices Inc.", "Flipper Anubis"),
      port("/dev/ttyACM4", 0x5740, nil, "Flipper Seth"),
    ]
    let backend = FlipperBackend(ports: { ports })
    let found = try await backend.readers()
    #expect(found.map(\.address.description) == ["flipper:/dev/ttyACM3", "flipper:/dev/ttyACM4"])
    #expect(found.map { ReaderAssessment($0).kind?.title } == ["Flipper Zero", "Flipper Zero"])
    await #expect(throws: TransportError.noReader) { try await FlipperBackend(ports: { [] }).open(.flipper(port: nil)) }
    await #expect(throws: TransportError.unknownAddress("pcsc")) { try await backend.open(.pcsc(name: nil)) }
  }
}
