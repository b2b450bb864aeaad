// SPDX-License-Identifier: Apache-2.0
import CGMModel
package import NFCTransport
import TextFormats

/// The connected readers as text.
package struct ReadersTable: Sendable {
  private let style: Style

  package init(style: Style) { self.style = style }

  /// Lines, each with its line end: the readers, errors that hide other readers, and further addresses.
  package func text(of document: ReaderSurvey) -> String {
    let errors = document.ways.compactMap { way in way.error.map { failure($0, way.scheme) } }
    let none = document.readers.isEmpty && errors.isEmpty ? [nothing] : []
    let sections = document.readers.map(reader) + none + errors + [others(document.ways)]
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  private func reader(_ judged: ReaderAssessment) -> [String] {
    var facts = [
      ["address", judged.reader.address.description], ["on it", Self.words(judged.reader.presence)],
      ["sensors", sensors(judged)],
    ]
    if let kind = judged.kind { facts.append(["known as", kind.title]) }
    if !judged.dialects.isEmpty { facts.append(["dialect", judged.dialects.joined(separator: ", or ")]) }
    if let note = judged.kind?.note { facts.append(["note", note]) }
    return [style.bold(SafeText.line(judged.reader.name))]
      + Columns.lines(facts, [.left, .left]).map { "  " + $0 }
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

  private func failure(_ error: TransportError, _ scheme: String) -> [String] {
    ["\(style.warning("\(scheme):")) \(error.message)", "  Try: \(error.resolution)"]
  }

  private var nothing: [String] { ["No reader is connected.", "  Try: libre readers --supported"] }

  /// The ways that cannot list readers, because only the user knows the address.
  private func others(_ ways: [ReaderSurvey.Way]) -> [String] {
    let unlisted = ways.filter { way in
      if case .success(let readers) = way.result { readers.isEmpty && way.scheme != "pcsc" } else { false }
    }
    let lines = Columns.lines(unlisted.map { ["\($0.scheme):", $0.summary] }, [.left, .left]).map { "  " + $0 }
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
