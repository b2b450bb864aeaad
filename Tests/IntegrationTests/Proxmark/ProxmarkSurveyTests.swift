// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import NFCTransport

/// Detection of a Proxmark3 before a sensor is read, on a pseudo-terminal that stands for a port on the USB.
@Suite("A Proxmark3 that is plugged in", .onOwnThreads, .startsProcesses)
struct ProxmarkSurveyTests {
  private func backend(_ device: ProxmarkEmulator) -> ProxmarkBackend {
    let usb = USBDevice(id: .init(vendor: 0x9AC4, product: 0x4B8F), product: "proxmark3", isCardReader: false)
    let port = SerialDevice(path: device.port.path, isUsable: true, usb: usb)
    return ProxmarkBackend(limit: .seconds(60), ports: { [port] })
  }

  private func diagnosis(_ device: ProxmarkEmulator) async -> Diagnosis {
    let asked = await AskedReader.all(of: [backend(device)])
    return Doctor(facts: SystemFacts(), pcsc: .failure(.noDaemon), asked: asked).diagnosis
  }

  @Test("is asked by the doctor for its firmware, and its field stays off")
  func doctor() async throws {
    let device = try ProxmarkEmulator()
    let diagnosis = await diagnosis(device)
    #expect(diagnosis.summary == "Ready: run libre read and hold a sensor on the Proxmark3 v4.21611")
    try await eventually("the session is over") { await device.isSessionOver }
    #expect(await device.exchangeCount == 0)
    #expect(await !device.fieldIsOn)
  }
}
