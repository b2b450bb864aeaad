// SPDX-License-Identifier: Apache-2.0
package import LibreDocuments
import NFCTransport

/// The catalogue of known readers as text.
package enum KnownReadersText {
  package static func text(style: Style) -> String {
    let lines = KnownReader.all.flatMap { reader in
      [
        "\(verdict(reader, style))\(style.bold(reader.title))",
        "           \(reader.reason ?? reader.dialects.joined(separator: ", "))",
        "           driver: \(reader.driver)",
      ] + [proof(reader), reader.note].compactMap(\.self).map { "           \($0)" }
    }
    return lines.joined(separator: "\n") + "\n\n" + footnote + "\n"
  }

  private static let footnote = """
    No reader has been tried with libre yet, and no Libre was reported as read on Linux through a PC/SC reader.
    Yours would be the first: libre read --trace FILE records what it says, and CONTRIBUTING.md says how to send it.
    """

  /// Words for how it is known that it reads a sensor; nil for a reader that may not.
  static func proof(_ reader: KnownReader) -> String? {
    guard reader.iso15693 == .yes else { return nil }
    return switch reader.proof {
    case .reported(let place): "a Libre was read with it: \(place)"
    case .documented: "documented, untested on hardware; no Libre read with it was reported"
    case .remembered: "not documented as far as known, and no Libre read with it was reported"
    }
  }

  private static func verdict(_ reader: KnownReader, _ style: Style) -> String {
    let (word, color) =
      switch reader.iso15693 {
      case .yes: ("yes", style.good)
      case .unknown: ("perhaps", style.warning)
      case .no: ("no", style.bad)
      }
    return color(word) + String(repeating: " ", count: 11 - word.count)
  }
}
