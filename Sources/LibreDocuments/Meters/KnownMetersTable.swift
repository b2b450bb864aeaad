// SPDX-License-Identifier: Apache-2.0
import LibreKit
import MeterProtocols

/// The catalogue of known meters as text.
package enum KnownMetersTable {
  /// Lines, each with its line end.
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
      model.isReadable ? "pair: \(model.pairing)" : nil, passkey, model.note,
      "\(MeterModel.caution); \(proof(model))",
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
