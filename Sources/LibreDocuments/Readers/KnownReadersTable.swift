// SPDX-License-Identifier: Apache-2.0
import LibreKit
import NFCTransport

/// The catalogue of known readers as text. A test compares the README's table with it.
package enum KnownReadersTable {
  /// Lines, each with its line end.
  package static func text(style: Style) -> String {
    let lines = KnownReader.all.flatMap { reader in
      [
        "\(verdict(reader, style))\(style.bold(reader.title))", "           \(detail(reader))",
        "           driver: \(reader.driver)",
      ] + [proof(reader), reader.note].compactMap(\.self).map { "           \($0)" }
    }
    return lines.joined(separator: "\n") + "\n\n" + footnote + "\n"
  }

  static let footnote = """
    No reader has been tried with libre yet, and no Libre was reported as read on Linux through a PC/SC reader.
    Yours would be the first: libre read --trace FILE records what it says, and CONTRIBUTING.md says how to send it.
    """

  /// Words for how it is known that it reads a sensor; nil for a reader that may not.
  static func proof(_ reader: KnownReader) -> String? {
    guard case .reads = reader.ability else { return nil }
    return switch reader.proof {
    case .reported(let place): "a Libre was read with it: \(place)"
    case .documented: "documented; no Libre read with it was reported"
    case .remembered: "not documented as far as known, and no Libre read with it was reported"
    }
  }

  static func word(_ reader: KnownReader) -> String {
    switch reader.ability {
    case .reads: "yes"
    case .perhaps: "perhaps"
    case .cannot: "no"
    }
  }

  private static func verdict(_ reader: KnownReader, _ style: Style) -> String {
    let word = word(reader)
    let spaces = String(repeating: " ", count: 11 - word.count)
    return switch reader.ability {
    case .reads: style.good(word) + spaces
    case .perhaps: style.warning(word) + spaces
    case .cannot: style.bad(word) + spaces
    }
  }

  static func detail(_ reader: KnownReader) -> String {
    switch reader.ability {
    case .reads(let dialects): dialects.joined(separator: ", ")
    case .perhaps(let reason), .cannot(let reason): reason
    }
  }
}
