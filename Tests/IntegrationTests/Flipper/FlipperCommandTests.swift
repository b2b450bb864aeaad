// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import LibreKit
import TestSupport
import Testing

@testable import DumpFormats

/// The built command with a Flipper Zero played on a pseudo-terminal.
@Suite("libre with a Flipper Zero", .onOwnThreads, .startsProcesses)
struct FlipperCommandTests {
  private static let image = FlipperReaderTests.image
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  // MARK: Saved files

  private static let saved = try! FlipperDump().file(of: image)

  private func card(_ files: [String: [UInt8]]) throws -> FlipperOnPort {
    var firmware = FlipperEmulator.Firmware()
    firmware.nfc = .old
    var flipper = FlipperEmulator(firmware)
    flipper.files = files
    return try FlipperOnPort(flipper)
  }

  private static let files = ["/ext/nfc/libre.nfc": saved, "/ext/nfc/old/x.nfc": [], "/ext/nfc/my tag.nfc": [0x41]]

  @Test("saved files are listed and copied byte for byte, also with old firmware, and replace no other file")
  func files() async throws {
    let device = try card(Self.files)
    let port = ["--port", device.port.path]
    let list = try await sandbox.libre(["flipper", "list"] + port)
    #expect(list.status == 0, "\(list.errors)")
    #expect(list.lines.map { $0.split(separator: " ").first ?? "" } == ["file", "libre.nfc", "my", "old/"])
    let json = try await sandbox.libre(["flipper", "list", "--json"] + port).json()
    #expect(json["files"][0]["path"] == .string("/ext/nfc/libre.nfc"))

    try sandbox.write("mine", to: "out.nfc")
    let arguments = ["flipper", "get", "libre.nfc", "--out", "out.nfc"] + port
    let refused = try await sandbox.libre(arguments)
    #expect(refused.status == 73 && refused.errors.contains("--force"))
    #expect(try String(contentsOf: sandbox.url.appendingPathComponent("out.nfc"), encoding: .utf8) == "mine")
    let get = try await sandbox.libre(arguments + ["--force"])
    #expect(get.status == 0, "\(get.errors)")
    #expect(get.errors.contains("libre decode out.nfc --read-at 2025-06-15T15:06"))
    #expect([UInt8](try Data(contentsOf: sandbox.url.appendingPathComponent("out.nfc"))) == Self.saved)
    let time = ["--read-at", "2025-06-15T15:06"]
    let decoded = try await sandbox.libre(["decode", "--json", "out.nfc"] + time).json()
    try sandbox.write(Self.image.bytes, to: "dump.bin")
    let dump = try await sandbox.libre(["decode", "--json", "dump.bin"] + time).json()
    #expect(decoded.measured == dump.measured)
    #expect(try await sandbox.libre(["flipper", "get", "/ext/nfc/libre.nfc"] + port).output == Self.saved)
    #expect(await device.flipper.files == Self.files)
    #expect(await device.flipper.lines.allSatisfy { $0.isEmpty || $0.hasPrefix("storage ") })
  }
}
