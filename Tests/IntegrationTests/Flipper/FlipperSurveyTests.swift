// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import NFCTransport

/// Detection of a Flipper Zero before a sensor is read, on a pseudo-terminal that stands for a port on the USB.
@Suite("A Flipper Zero that is plugged in", .onOwnThreads, .startsProcesses)
struct FlipperSurveyTests {
  @Test("is asked by the doctor for its NFC shell, which is closed again without sending a frame")
  func doctor() async throws {
    let device = try FlipperOnPort(FlipperEmulator(tag: FlipperReaderTests.tag))
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
}
