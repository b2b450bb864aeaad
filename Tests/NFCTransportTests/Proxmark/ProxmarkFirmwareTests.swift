// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import NFCTransport

@Suite("A Proxmark3's firmware")
struct ProxmarkFirmwareTests {
  private func firmware(_ capability: UInt8, _ text: String, flags: UInt8 = 0x2F) -> ProxmarkFirmware {
    ProxmarkFirmware(
      capabilities: [capability, 0, 0, 0, 0, 0xC4, 0xA0, 0, 0, 0x82, 0xF7, flags, 0],
      version: [UInt8](repeating: 0x7F, count: 12) + Array(text.utf8) + [0, 0x76, 0x34])
  }

  @Test(
    "is named by the line about its operating system, in every known format, plainly without a version number",
    arguments: [
      (
        " [ ARM ]\n  Bootrom.... Iceman/master/v4.1 x\n  OS......... Iceman/master/v4.21611-suspect 2026\n",
        " v4.21611"
      ),
      (" [ ARM ]\n  bootrom: Iceman/master/v4.1\n       os: Iceman/master/v4.18218-dirty\n", " v4.18218"),
      (
        "\u{1B}[33m [ ARM ]\u{1B}[0m\n  \u{1B}[32mOS\u{1B}[0m......... Iceman/master/v4.20142-274-g5f2edb9bb-dirty\n",
        " v4.20142"
      ),
      ("", ""), ("OS", ""), ("  OS......... Iceman/master/release (git)\n", ""), ("host: v4.21611", ""),
      (" OS: v4.99999999999999999999\n", ""),
    ])
  func name(text: String, release: String) { #expect(firmware(7, text).name == "Proxmark3\(release)") }

  @Test(
    "is supported from v4.18218 on",
    arguments: [
      (5, "v4.21611", "too old"), (6, "v4.17768", "v4.17768 is too old"), (6, "v4.17768-150-g8d0b41a9", "too old"),
      (6, "release (git)", "does not say which release"), (6, "v4.18218", nil), (6, "v4.20728", nil),
      (7, "v4.21128", nil), (8, "release (no_git)", nil), (200, "", nil),
    ] as [(UInt8, String, String?)])
  func rule(capability: UInt8, release: String, reason: String?) {
    let fault = firmware(capability, "  OS......... Iceman/master/\(release)\n").fault
    if let reason {
      #expect(fault?.reason.contains(reason) == true && fault?.remedy.contains("flash") == true)
    } else {
      #expect(fault == nil)
    }
  }

  @Test("is not supported without ISO 15693 or without capabilities, by which it is known to answer twice")
  func capabilities() {
    #expect(firmware(7, "", flags: 0x2E).fault?.reason == "its firmware was built without ISO 15693")
    for capabilities: [UInt8] in [[], [7]] {
      #expect(ProxmarkFirmware(capabilities: capabilities, version: []).fault != nil)
    }
    #expect([6, 7, 8].map { firmware($0, "  OS: v4.20000\n").answersTwice } == [true, false, false])
  }
}

@Suite("Proxmark3 devices on USB")
struct ProxmarkBackendTests {
  private static func port(_ path: String, _ vendor: UInt16, _ product: UInt16) -> SerialDevice {
    SerialDevice(
      path: path, isUsable: true,
      usb: USBDevice(id: .init(vendor: vendor, product: product), product: "x", isCardReader: false))
  }

  private func backend(_ ports: SerialDevice...) -> ProxmarkBackend { ProxmarkBackend(ports: { ports }) }

  @Test("are found by their USB ids, also with very old firmware, and no other port is")
  func found() async throws {
    let backend = backend(
      Self.port("/dev/ttyACM0", 0x0483, 0x5740), Self.port("/dev/ttyACM1", 0x9AC4, 0x4B8F),
      SerialDevice(path: "/dev/ttyACM2", isUsable: true), Self.port("/dev/ttyACM3", 0x2D2D, 0x504D))
    let readers = try await backend.readers()
    #expect(readers.map(\.address.description) == ["proxmark:/dev/ttyACM1", "proxmark:/dev/ttyACM3"])
    #expect(readers.map(\.presence) == [.unknown, .unknown])
    #expect(readers.allSatisfy { KnownReader.named($0.name)?.scheme == "proxmark" })
  }

  @Test("are opened by port, or the first one if no port is given")
  func first() async {
    await #expect(throws: TransportError.port(path: "/dev/ttyNone", .missing)) {
      try await backend(Self.port("/dev/ttyNone", 0x9AC4, 0x4B8F)).open(.proxmark(port: nil))
    }
    await #expect(throws: TransportError.noReader) { try await backend().open(.proxmark(port: nil)) }
  }
}
