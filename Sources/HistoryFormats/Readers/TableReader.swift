// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import TextFormats

/// A plain table of times and glucose values, from a spreadsheet or a script.
///
///     local_time,kind,mg_dL
///     2014/11/03 14:28,scan,159
///
/// | column | names |
/// |---|---|
/// | time | `time`, `local_time`, `date_time`, `datetime`, `timestamp`; with an offset or `Z`; a whole number is seconds since 1970; otherwise local |
/// | value | `mg_dl`, `mmol_l`, `glucose_mg_dl`, `glucose_mmol_l`, or with `mg/dL` and `mmol/L`; `glucose`, `value` or `sgv` if the user names the unit |
/// | kind (optional) | `kind` or `type`: `finger…`, `blood…`, `strip…` and `bg…` are finger-sticks, `scan` is a value at a scan |
///
/// Dates have the year first, unless the options name another order. The columns are found by their names, in any
/// order, among any others; the separator is a tab, a comma or a semicolon. The header may follow a few lines of
/// comment, and may begin with `#` itself.
public struct TableReader: HistoryReader {
  public init() {}

  public let name = "table"
  public let summary = "a plain table with a column of times and one of glucose: time, mg_dL"

  private static let signature = "a header with a column such as time and one such as mg_dL"
  private static let separators = ["\t", ",", ";"].map { UInt8(ascii: $0) }
  /// The values for `LO` and `HI`: the widest range that a Libre's reader shows.
  private static let limits = 40.0...500.0
  /// A column of libre's own tables, which hold more than a plain table.
  private static let ownColumn = "raw_glucose"

  private struct Columns: TableColumns {
    let time: Int
    /// The columns in the order of preference; the unit is nil if the name does not contain it.
    let glucose: [(index: Int, unit: GlucoseUnit?)]
    let kind: Int?

    var last: Int { ([time, kind ?? 0] + glucose.map(\.index)).max() ?? 0 }
  }

  public func hasSignature(_ file: any HistoryFile) -> Bool {
    Self.separator(in: file.head) != nil
  }

  @discardableResult public func read(
    _ file: any HistoryFile, _ options: ImportOptions, _ entry: (HistoryEntry) throws(HistoryError) -> Void
  ) throws(HistoryError) -> HistoryFacts {
    guard let separator = Self.separator(in: file.head) else { throw .notThisFormat(lacks: Self.signature) }
    let table = CSVTable(separator: separator, lacks: Self.signature)
    var passedOver: [String: Int] = [:]
    let order = options.dateOrder ?? .yearFirst
    var facts = try RowDating.dating(order, options, entry) { clock throws(HistoryError) in
      try table.forEachRow(of: file, header: Self.columns) { (columns, row) throws(HistoryError) in
        guard let column = columns.glucose.first(where: { !row[$0.index].isEmpty }) else { return }
        let text = row[column.index]
        guard let unit = column.unit ?? options.unit else { throw .unknownUnit }
        guard let glucose = ShownGlucose(text, unit, limits: Self.limits) else {
          throw .badField(line: row.line, name: "glucose", value: SafeText.quoted(text))
        }
        let kind = Kind(columns.kind.map { row[$0] } ?? "")
        if kind == .blood, glucose.bound != nil {
          return passedOver[PassedOver.fingerSticksOutOfRange, default: 0] += 1
        }
        func made(_ time: Instant) -> HistoryEntry {
          if kind == .blood {
            return .fingerStick(FingerStick(time: time, concentration: glucose.concentration, source: name))
          }
          return .imported(
            ImportedSample(
              source: name, device: nil, ring: kind == .scan ? .trend : .history, time: time,
              concentration: glucose.concentration, bound: glucose.bound))
        }
        let moment = row[columns.time]
        if let instant = Instant(rfc3339: moment) ?? Self.secondsSince1970(moment) { return try entry(made(instant)) }
        let group = RowDating.Group(kind: kind.rawValue, isRegular: kind == .regular)
        try clock.add(moment, line: row.line, to: group, entry, make: made)
      }
    }
    facts.passedOver.merge(passedOver, uniquingKeysWith: +)
    return facts
  }

  private enum Kind: Int {
    case regular
    case scan
    case blood

    init(_ text: String) {
      let text = text.lowercased()
      if text == "scan" {
        self = .scan
      } else if ["finger", "blood", "strip", "bg"].contains(where: text.hasPrefix) {
        self = .blood
      } else {
        self = .regular
      }
    }
  }

  private static func secondsSince1970(_ text: String) -> Instant? {
    Int64(text).map(Instant.init(secondsSince1970:)).flatMap { Instant.writable.contains($0) ? $0 : nil }
  }

  // MARK: The header

  /// Returns the separator for which a line near the beginning of the file is the header; nil if no line is.
  private static func separator(in head: [UInt8]) -> UInt8? {
    let lines = head.prefix(1 << 12).split(separator: UInt8(ascii: "\n"), maxSplits: 10)
    return separators.first { separator in
      lines.contains { line in
        var csv = CSVReading(separator: separator, hasQuotes: true)
        csv.append(Array(line) + [UInt8(ascii: "\n")])
        guard let row = try? csv.next() else { return false }
        return columns(CSVColumns(row)) != nil
      }
    }
  }

  private static func columns(_ header: CSVColumns) -> Columns? {
    let times = ["time", "local_time", "date_time", "datetime", "timestamp"]
    guard header.firstIndex(of: [ownColumn]) == nil,
      let time = header.firstIndex(of: times + ["# ", "#"].flatMap { prefix in times.map { prefix + $0 } })
    else { return nil }
    let kind = header.firstIndex(of: ["kind", "type"])
    let glucose = GlucoseUnit.allCases.compactMap { unit in
      let words = [unit.rawValue, unit.rawValue.replacing("/", with: "_")]
      let names = words + words.flatMap { ["glucose_\($0)", "glucose \($0)", "glucose (\($0))"] }
      return header.firstIndex(of: names).map { (index: $0, unit: GlucoseUnit?.some(unit)) }
    }
    if !glucose.isEmpty { return Columns(time: time, glucose: glucose, kind: kind) }
    return header.firstIndex(of: ["glucose", "value", "sgv"]).map {
      Columns(time: time, glucose: [($0, nil)], kind: kind)
    }
  }
}
