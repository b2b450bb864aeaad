// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import NFCTransport

/// Detection of a Flipper Zero before a sensor is read, on a pseudo-terminal that stands for a port on the USB.
@Suite("A Flipper Zero that is plugged in", .onOwnThreads, .startsProcesses)
struct FlipperSurveyTests {
  private func device(_ nfc: FlipperEmulator.NFC = .shell) throws -> FlipperOnPort {
    var firmware = FlipperEmulator.Firmware()
    firmware.nfc = nfc
    return try FlipperOnPort(FlipperEmulator(firmware, tag: FlipperReaderTests.tag))
  }

  private func backend(_ device: FlipperOnPort) -> FlipperBackend {
    let usb = USBDevice(
      id: .init(vendor: 0x0483, product: 0x5740), manufacturer: "Flipper Devices Inc.", product: "Flipper Anubis",
      isCardReader: false)
    let port = SerialDevice(path: device.port.path, isUsable: true, usb: usb)
    return FlipperBackend(limit: .seconds(60), ports: { [port] })
  }

  private func diagnosis(_ device: FlipperOnPort) async -> Diagnosis {
    let asked = await AskedReader.all(of: [backend(device)])
    return Doctor(facts: SystemFacts(), pcsc: .failure(.noDaemon), asked: asked).diagnosis
  }

  @Test("is asked by the doctor for its NFC shell, which is closed again without sending a frame")
  func doctor() async throws {
    let device = try device()
    let diagnosis = await diagnosis(device)
    #expect(diagnosis.summary == "Ready: run libre read and hold a sensor on the Flipper Zero on \(device.port.path)")
    #expect(await device.flipper.frameCount == 0)
    #expect(await device.flipper.lines.suffix(2) == ["nfc", "exit"])
  }

  @Test("is reported by the doctor as not ready, with the fix")
  func unfit() async throws {
    let diagnosis = await diagnosis(try device(.appRunning))
    #expect(diagnosis.outlook == .notReady && diagnosis.error?.code == "reader_unfit")
    #expect(diagnosis.checks.contains { $0.verdict == .bad && $0.advice?.contains("back button") == true })
  }

  @Test("is reported by the doctor as in use by another program, with the line that names the program")
  func busy() async throws {
    let device = try device()
    let reader = try await backend(device).open(.flipper(port: nil))
    let diagnosis = await diagnosis(device)
    #expect(diagnosis.checks.contains { $0.remedy == "fuser -v \(device.port.path)" })
    await reader.close()
  }
}
