// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Meters

@Suite("What the doctor says of Bluetooth")
struct BluetoothReportTests {
  /// A root directory with these files.
  static func report(
    _ files: [String: String] = [:], _ bus: @escaping @Sendable () throws(BluetoothError) -> any BusConnection
  ) async throws -> BluetoothReport {
    let root = try TemporaryDirectory()
    for (path, text) in files { try root.write(text, to: path) }
    return await BluetoothReport.take(root: root.path, on: bus)
  }

  static let controller = ["sys/class/bluetooth/hci0/address": ""]

  @Test("is that all is well when an adapter is on, and that there is none when the service has none")
  func ready() async throws {
    let report = try await Self.report(Self.controller) { ScriptedBus() }
    #expect(report.obstacle == nil)
    #expect(report.findings.map(\.name) == ["bluetooth_controller", "bluetoothd", "bluetooth_adapter"])
    #expect(report.findings.allSatisfy { $0.isGood && $0.remedy == nil && $0.error == nil })
    #expect(try report.adapters.get().map(\.name) == ["hci0"])
    let without = try await Self.report { ScriptedBus(on: "GetManagedObjects", [.reply([.dictionary([:])])]) }
    #expect(without.obstacle == .noAdapter && without.findings.map(\.isGood) == [false, true, false])
  }

  @Test(
    "names the line that switches a blocked adapter on",
    arguments: [("1", "0", RadioBlock.soft), ("0", "1", .hard), ("1", "1", .hard)])
  func blocked(_ soft: String, _ hard: String, _ block: RadioBlock) async throws {
    let files = [
      "sys/class/bluetooth/hci0/address": "", "sys/class/rfkill/rfkill0/type": "wlan\n",
      "sys/class/rfkill/rfkill0/hard": "1\n", "sys/class/rfkill/rfkill1/type": "bluetooth\n",
      "sys/class/rfkill/rfkill1/soft": soft + "\n", "sys/class/rfkill/rfkill1/hard": hard + "\n",
    ]
    let report = try await Self.report(files) { ScriptedBus(powered: false) }
    #expect(report.block == block && report.obstacle == .adapterOff(name: "hci0", block))
    #expect(report.findings.filter { !$0.isGood }.map(\.name) == ["bluetooth_block"])
    #expect(report.findings.allSatisfy { $0.isGood || $0.remedy != nil || $0.error != nil })
  }

  @Test("tells a service that is not installed from one that is not running")
  func service() async throws {
    let absent = try await Self.report { () throws(BluetoothError) in throw .noDaemon }
    #expect(absent.findings.last?.remedy == "sudo apt install bluez && sudo service bluetooth start")
    #expect(absent.findings.map(\.isGood) == [false, false])
    let files = ["usr/libexec/bluetooth/bluetoothd": "", "run/systemd/system/x": ""]
    let stopped = try await Self.report(files) { () throws(BluetoothError) in throw .noDaemon }
    #expect(stopped.findings.last?.remedy == "sudo systemctl enable --now bluetooth")
    #expect(stopped.findings.last?.what == "bluetoothd, the Bluetooth service, is installed but not running")
  }

  @Test(
    "names the part that is missing",
    arguments: [
      (BluetoothError.libraryMissing("libsystemd.so.0"), "bluetooth_library"), (.notInThisBuild, "bluetooth_library"),
      (.noBus(reason: "No such file or directory"), "message_bus"), (.accessDenied, "bluetoothd"),
    ])
  func missing(_ error: BluetoothError, _ name: String) async throws {
    let report = try await Self.report { () throws(BluetoothError) in throw error }
    #expect(report.obstacle == error)
    #expect(
      report.findings.last
        == BluetoothReport.Finding(name: name, isGood: false, what: error.message, error: error))
  }
}
