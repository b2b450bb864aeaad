// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import LibreDocuments
import LibreKit
import Meters
import TextFormats

struct BridgesCommand: CommandWithDocument, CancellableCommand {
  static let configuration = CommandConfiguration(
    "bridges", "List Bluetooth bridges, which sit on the sensor and read it by themselves.",
    discussion: """
      Lists the kinds of bridges, those that are read and the others with the reason. --scan lists the bridges that are \
      near instead. One that is connected to a phone is not heard: switch the phone's Bluetooth off. A bridge sends a \
      reading every five minutes to one device only, so while libre watches, the app on the phone gets none and cannot \
      raise an alarm. Nothing is written to the sensor, and the bridge keeps its settings. No bridge was available to \
      this project: all are untested on hardware.

      Examples:
        libre bridges --scan
        libre watch --reader bridge
      """)

  @Flag(help: "Search for bridges for 15 seconds.")
  var scan = false

  @OptionGroup var document: DocumentOption
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    try refuse(if: json && !scan, "--json needs a search. Try: libre bridges --scan --json")
  }

  func execute(_ session: Session) async throws {
    guard scan else { return try session.write(Self.kinds(session.style)) }
    if session.showsProgress { session.remark("searching for bridges for 15 s") }
    let found = try await BluetoothAdapter.with { try await $0.search(within: .seconds(15)) }
    let bridges = found.filter { $0.isNear && $0.bridge != nil }
    try session.write(
      json: json, document: { BridgesJSON.write(bridges, to: &$0) }, text: Self.text(of: bridges, session.style))
  }

  private static func kinds(_ style: Style) -> String {
    let lines = BridgeModel.all.map { model in
      model.obstacle.map { "\(style.bad("no"))   \(style.bold(model.title)): \($0)" }
        ?? "\(style.good("yes"))  \(style.bold(model.title))"
    }
    return lines.joined(separator: "\n") + "\n\nAll are untested on hardware. libre bridges --scan lists those near.\n"
  }

  private static func text(of bridges: [FoundMeter], _ style: Style) -> String {
    guard !bridges.isEmpty else {
      return "No bridge was heard.\n  Try: switch the Bluetooth of phones near off, of which one may hold it\n"
    }
    let rows = bridges.map { bridge in
      [
        SafeText.line(bridge.title), bridge.signalStrength.map { "\($0) dBm" } ?? "–", bridge.bridge?.title ?? "–",
        bridge.bridge?.obstacle.map { "not read: \($0)" } ?? "--reader bridge:\(bridge.identity.address)",
      ]
    }
    return Columns.table(["bridge", "signal", "known as", "read by"], rows, style: style).joined(separator: "\n") + "\n"
  }
}
