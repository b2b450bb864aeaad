// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import LibreKit
import Meters
import NFCTransport
import SampleSync
import TestSupport

/// A table of the page on what is supported, made of the tables that the command itself uses.
struct SupportTable {
  /// The page: for each row its basis, and the limits.
  static let page = Repository.root.appendingPathComponent("Sources/libre/libre.docc/WhatIsSupported.md")

  let heading: String
  let columns: [String]
  /// Rows by their first cell. A cell that is nil is known to the page alone, and stays as it is there.
  let rows: [[String?]]

  init(_ heading: String, _ columns: [String], _ rows: [[String?]]) {
    (self.heading, self.columns, self.rows) = (heading, columns, rows)
  }

  /// The page with this table below its heading.
  func placed(in page: String) throws -> String {
    var lines = page.components(separatedBy: "\n")
    let place = try Self.place(of: heading, in: lines)
    let known = Dictionary(lines[place].map { (Self.cells(of: $0)[0], Self.cells(of: $0)) }) { first, _ in first }
    let made = rows.map { row in
      let old = row[0].flatMap { known[$0] } ?? []
      return row.enumerated().map { index, cell in cell ?? (index < old.count ? old[index] : "") }
    }
    lines.replaceSubrange(place, with: [Self.line(columns), Self.rule(columns)] + made.map(Self.line))
    return lines.joined(separator: "\n")
  }

  /// The rows of the table below a heading of a document, without its first two lines.
  static func rows(below heading: String, of document: String) throws -> [[String]] {
    let lines = document.components(separatedBy: "\n")
    return lines[try place(of: heading, in: lines)].dropFirst(2).map(cells)
  }

  static func text(of url: URL) throws -> String { String(decoding: try Repository.bytes(at: url), as: UTF8.self) }

  private static func place(of heading: String, in lines: [String]) throws -> Range<Int> {
    guard let title = lines.firstIndex(of: "## \(heading)"),
      let start = lines[title...].firstIndex(where: { $0.hasPrefix("|") })
    else { throw Missing(heading: heading) }
    return start..<(lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex)
  }

  private static func cells(of line: String) -> [String] {
    line.dropFirst(2).dropLast(2).components(separatedBy: " | ").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private static func line(_ cells: [String]) -> String {
    let written = cells.map { $0.replacing(#"\|"#, with: "|").replacing("|", with: #"\|"#) }
    return "| \(written.joined(separator: " | ")) |"
  }

  private static func rule(_ columns: [String]) -> String { "|" + columns.map { _ in "---|" }.joined() }

  private struct Missing: Error { let heading: String }
}

// MARK: - The tables

extension SupportTable {
  static func all() throws -> [SupportTable] {
    [sensors, readers, dumps, histories, meters, bridges, try programs(), try receivers()]
  }

  static let sensors = SupportTable(
    "Sensors", ["sensor", "also sold as", "decode a dump", "read over NFC", "basis"],
    SensorFamily.allCases.filter { $0 != .unknown }.map { [$0.productName, nil, nil, nil, nil] })

  static let readers = SupportTable(
    "Readers", ["reader", "reads sensors", "driver", "basis"],
    KnownReader.all.map { reader in
      let verdict = [reader.iso15693 == .unknown ? "perhaps" : reader.iso15693.rawValue, reader.reason]
      return [reader.title, verdict.compactMap(\.self).joined(separator: ": "), reader.driver, basis(of: reader)]
    })

  /// The readers in a line for each verdict.
  static let readersInShort: [String] = {
    let verdicts: [(word: String, ability: ReaderAssessment.Ability)] = [
      ("should", .yes), ("perhaps", .unknown), ("cannot", .no),
    ]
    return verdicts.map { verdict in
      let titles = KnownReader.all.filter { $0.iso15693 == verdict.ability }.map(\.title)
      return SupportTable.line([verdict.word, titles.joined(separator: "; ")])
    }
  }()

  private static let dumps = SupportTable(
    "Dump formats", ["format", "what it is", "written", "basis"],
    Catalogue.standard.listedDumps.map { ["`\($0.name)`", $0.summary, $0.isWritten ? "yes" : "no", nil] })

  private static let histories = SupportTable(
    "History formats", ["format", "what it is", "read", "written", "basis"],
    Catalogue.standard.listedHistories.map {
      ["`\($0.name)`", $0.summary, $0.isRead ? "yes" : "no", $0.isWritten ? "yes" : "no", nil]
    })

  private static let meters = SupportTable(
    "Meters", ["meter or cuff", "read", "basis"],
    MeterCatalogue.all.map { model in
      let title = "\(model.maker) \(model.title)"
      return [title, model.isReadable ? "yes" : "no: \(model.note ?? "")", basis(of: model)]
    })

  private static let bridges = SupportTable(
    "Bridges", ["bridge", "read", "basis"],
    BridgeModel.all.map { [$0.title, $0.obstacle.map { "no: \($0)" } ?? "yes", nil] })

  /// The programs of the article on `libre serve`, which says where each one's requests are known from.
  private static func programs() throws -> SupportTable {
    let article = try text(of: Self.article("GlucoseServer", "ClientsAndPaths"))
    let rows = try Self.rows(below: "Who asks what", of: article).map { [$0[0], basis(ofRequestsReadIn: $0[2])] }
    return SupportTable("Programs that `libre serve` answers", ["program", "basis"], rows)
  }

  private static func basis(ofRequestsReadIn source: String) -> String {
    if source.hasSuffix(", run") { return "real: its client library" }
    if source.contains("remembered") { return "untested: partly remembered" }
    if source.contains("README") { return "simulated: a public list of its requests" }
    return "simulated: \(source.contains("excerpt") ? "an excerpt of its source" : "its source")"
  }

  /// The sinks. With what each was tried is said by the article on receivers.
  private static func receivers() throws -> SupportTable {
    let article = try text(of: Self.article("SampleSync", "Receivers"))
    let tried = try rows(below: "Overview", of: article).map { (types: $0[0], with: $0[$0.count - 1]) }
    return SupportTable(
      "Sinks", ["sink", "what it is", "takes values back", "basis"],
      SinkType.all.map { type in
        let with = tried.first { $0.types.contains("`\(type.name)`") }?.with ?? ""
        return [
          "`\(type.name)`", type.summary, takesBack(type),
          with == "a stand-in" ? "simulated: \(with)" : "real: \(with)",
        ]
      })
  }

  private static func takesBack(_ type: SinkType) -> String {
    switch type.removal {
    case _ where !type.takesSamples: "it gets alerts alone"
    case .byKey: "yes"
    case .replacingState: "its present value"
    case .impossible: "no"
    }
  }

  private static func article(_ module: String, _ name: String) -> URL {
    Repository.root.appendingPathComponent("Sources/\(module)/\(module).docc/\(name).md")
  }

  private static func basis(of reader: KnownReader) -> String {
    switch reader.proof {
    case .reported(let place): "reported: \(place)"
    case .documented: reader.iso15693 == .yes ? "simulated: manuals and sources" : "untested: manuals and sources"
    case .remembered: "untested: remembered"
    }
  }

  private static func basis(of model: MeterModel) -> String {
    let sources = model.sources.joined(separator: ", ")
    return switch model.proof {
    case .reported: "reported: \(sources)"
    case .fromSources: "simulated: \(sources)"
    case .remembered: "untested: remembered"
    }
  }
}
