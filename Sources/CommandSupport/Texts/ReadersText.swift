// SPDX-License-Identifier: Apache-2.0
package import LibreDocuments
package import LibreKit
import TextFormats

package struct ReadersText: Sendable {
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
