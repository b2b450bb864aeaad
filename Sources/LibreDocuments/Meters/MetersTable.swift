// SPDX-License-Identifier: Apache-2.0
import BluetoothTransport
import CGMModel
import HostSystem
import MeterProtocols
import SampleStore
import TextFormats

/// Meters that are near, paired or known, as text.
package struct MetersTable: Sendable {
  private let style: Style

  package init(style: Style) { self.style = style }

  /// Lines, each with its line end. `hasSearched` says that a search took place. The failure of Bluetooth is not among
  /// them: it belongs on standard error.
  package func text(of survey: MeterSurvey, hasSearched: Bool) -> String {
    let lines: [String]
    if !survey.entries.isEmpty {
      let head = ["meter", "address", "known as", "Bluetooth", "in the store", "last read"]
      lines = Columns.table(
        head, survey.entries.map(row), [.left, .left, .left, .left, .left, .left], style: style)
    } else if survey.failure == nil {
      lines = [
        hasSearched ? "No meter was heard." : "No meter is paired or known.",
        "  Try: switch the meter's Bluetooth on by a key or its menu, then libre meters --scan 30",
      ]
    } else {
      lines = ["No meter is in the store."]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func row(_ entry: MeterSurvey.Entry) -> [String] {
    [
      entry.identity.name ?? "–", entry.identity.address, entry.model?.title ?? "–", Self.state(entry.found),
      Self.counts(entry.stored), entry.stored?.lastReadAt.map(LocalTime.minuteText) ?? "never",
    ].map(SafeText.line)
  }

  private static func state(_ found: FoundMeter?) -> String {
    guard let found else { return "not paired" }
    var words = [found.isPaired ? "paired" : "not paired"]
    if found.isConnected { words.append("connected") }
    if let signal = found.signalStrength { words.append("near (\(signal) dBm)") }
    return words.joined(separator: ", ")
  }

  private static func counts(_ stored: StoredMeter?) -> String {
    guard let stored else { return "–" }
    var words: [String] = []
    if stored.fingerSticks > 0 { words.append("\(stored.fingerSticks) finger-sticks") }
    if stored.bloodPressures > 0 { words.append("\(stored.bloodPressures) blood pressures") }
    return words.isEmpty ? "no values" : words.joined(separator: ", ")
  }
}
