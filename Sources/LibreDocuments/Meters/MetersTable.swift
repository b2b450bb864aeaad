// SPDX-License-Identifier: Apache-2.0
import HostSystem
import Meters
package import SensorHistory

package enum MetersTable {
  /// The failure of Bluetooth is not in the text, because it belongs on standard error.
  package static func text(of survey: MeterSurvey, hasSearched: Bool, style: Style) -> String {
    if !survey.entries.isEmpty {
      let head = ["meter", "address", "known as", "Bluetooth", "in the store", "last read"]
      return Columns.table(head, survey.entries.map(row), style: style).joined(separator: "\n") + "\n"
    }
    if survey.failure != nil { return "No meter is in the store.\n" }
    return (hasSearched ? "No meter was heard.\n" : "No meter is paired or known.\n")
      + "  Try: switch the meter's Bluetooth on by a key or its menu, then libre meters --scan 30\n"
  }

  private static func row(_ entry: MeterSurvey.Entry) -> [String] {
    [
      entry.identity.name ?? "–", entry.identity.address, entry.model?.title ?? "–", state(entry),
      counts(entry.stored), entry.stored?.lastReadAt.map(LocalTime.minuteText) ?? "never",
    ]
  }

  private static func state(_ entry: MeterSurvey.Entry) -> String {
    guard let isPaired = entry.isPaired else { return "unknown" }
    var words = [isPaired ? "paired" : "not paired"]
    guard let found = entry.found else { return words[0] }
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

package enum KnownMetersTable {
  package static func text(style: Style) -> String {
    let models = MeterCatalogue.all.map { lines($0, style).joined(separator: "\n") }
    return models.joined(separator: "\n") + "\n\n" + footnote + "\n"
  }

  static let footnote = """
    No meter has been tried with libre yet: every entry is \(MeterModel.caution). A meter that is not listed and has the
    standard services (1808 or 1810) is read by the specification. libre never deletes a record and never sets a clock.
    """

  private static func lines(_ model: MeterModel, _ style: Style) -> [String] {
    let verdict = model.isReadable ? style.good("yes") + "  " : style.bad("no") + "   "
    let kind = model.kind == .glucoseMeter ? "glucose meter" : "blood-pressure monitor"
    let passkey: String? =
      switch model.passkey {
      case .none: nil
      case .display: "asks for the six digits on its display"
      case .label: "asks for six digits that are fixed: on its label or in its papers"
      case .unknown: "may ask for digits"
      }
    let details = [
      model.isReadable ? "pair: \(model.pairing)" : nil, passkey, model.note, "\(MeterModel.caution); \(proof(model))",
    ]
    return ["\(verdict)\(style.bold("\(model.maker) \(model.title)")), \(kind)"]
      + details.compactMap(\.self).map { "     \($0)" }
  }

  private static func proof(_ model: MeterModel) -> String {
    switch model.proof {
    case .reported: "users of other programs report that it can be read"
    case .fromSources: "taken from the source code of other programs"
    case .remembered: "not documented as far as known"
    }
  }
}
