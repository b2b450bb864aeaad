// SPDX-License-Identifier: Apache-2.0
package import NFCTransport
import TextFormats

package struct ReadersTable: Sendable {
  private let style: Style

  package init(style: Style) { self.style = style }

  /// Lines, each with its line end: the readers, errors that hide other readers, and further addresses.
  package func text(of document: ReaderSurvey) -> String {
    let errors = document.ways.compactMap { way in
      way.error.map { ["\(style.warning("\(way.scheme):")) \($0.message)", "  Try: \($0.resolution)"] }
    }
    let nothing = ["No reader is connected.", "  Try: libre readers --supported"]
    let none = document.readers.isEmpty && errors.isEmpty ? [nothing] : []
    let sections = document.readers.map(reader) + none + errors + [others(document.ways)]
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  private func reader(_ judged: ReaderAssessment) -> [String] {
    [style.bold(SafeText.line(judged.reader.name))]
      + Columns.facts([
        "address": judged.reader.address.description, "on it": Self.words(judged.reader.presence),
        "sensors": sensors(judged), "known as": judged.kind?.title,
        "dialect": judged.dialects.isEmpty ? nil : judged.dialects.joined(separator: ", or "),
        "note": judged.kind?.note,
      ])
  }

  private func sensors(_ judged: ReaderAssessment) -> String {
    switch judged.iso15693 {
    case .yes:
      if case .reported = judged.kind?.proof {
        "yes (others have read a Libre with one)"
      } else {
        "yes (documented; untested on hardware)"
      }
    case .no: "no: \(judged.reason ?? "")"
    case .unknown: "unknown: \(judged.reason ?? "")"
    }
  }

  /// The ways that cannot list readers, because only the user knows the address.
  private func others(_ ways: [ReaderSurvey.Way]) -> [String] {
    let unlisted = ways.filter { way in
      if case .success(let readers) = way.result { readers.isEmpty && way.scheme != "pcsc" } else { false }
    }
    let lines = Columns.indented(unlisted.map { ["\($0.scheme):", $0.summary] })
    return lines.isEmpty ? [] : [style.bold("Addresses to enter yourself")] + lines
  }

  private static func words(_ presence: FoundReader.Presence) -> String {
    switch presence {
    case .nothing: "nothing"
    case .iso15693: "an ISO 15693 tag, as sensors are"
    case .otherCard: "a card of another kind"
    case .busy: "unknown: another program is using the reader"
    case .unknown: "unknown"
    }
  }
}

/// The catalogue of known readers as text. A test compares the README's table with it.
package enum KnownReadersTable {
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
    let color =
      switch reader.ability {
      case .reads: style.good
      case .perhaps: style.warning
      case .cannot: style.bad
      }
    return color(word) + String(repeating: " ", count: 11 - word.count)
  }

  static func detail(_ reader: KnownReader) -> String {
    switch reader.ability {
    case .reads(let dialects): dialects.joined(separator: ", ")
    case .perhaps(let reason), .cannot(let reason): reason
    }
  }
}
