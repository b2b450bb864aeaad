// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import TextFormats

/// A plain table of times and glucose values, from a spreadsheet or a script, with columns found by their usual names
/// or those of the options (HistoryFormats/Formats, "table").
///
/// A table of several subjects is refused, unless the options choose one: values under the wrong name are worse than
/// none. The header may follow a few lines of comment, and may begin with `#` itself.
package struct TableReader: HistoryReader {
  package init() {}

  package let name = "table"
  package let summary = "a plain table with a column of times and one of glucose: time, mg_dL"

  private static let signature = "a header with a column such as time and one such as mg_dL"
  /// The values for `LO` and `HI`: the widest range that a Libre's reader shows.
  private static let limits = 40.0...500.0
  /// A column of libre's own tables, which hold more than a plain table.
  private static let ownColumn = "raw_glucose"

  private struct Columns: TableColumns {
    let time: Int
    /// The columns in the order of preference; the unit is nil if the name does not contain it.
    let glucose: [(index: Int, unit: GlucoseUnit?)]
    let kind: Int?
    let subject: SubjectColumn?

    /// The unit of a column's values; nil if it is unknown. Of one column the user may know better than its name.
    func unit(of column: (index: Int, unit: GlucoseUnit?), _ options: ImportOptions) -> GlucoseUnit? {
      glucose.count == 1 ? options.unit(column.unit) : column.unit ?? options.unit
    }

    var last: Int { ([time, kind ?? 0, subject?.index ?? 0] + glucose.map(\.index)).max() ?? 0 }

    /// The column of a row's value, the preferred one of those that the row fills; nil for a row without a value.
    func value(in row: CSVRow) -> (index: Int, unit: GlucoseUnit?)? {
      glucose.first { !ShownGlucose.absentWords.contains(row[$0.index].lowercased()) }
    }
  }

  package func hasSignature(_ file: any HistoryFile) -> Bool { Self.header(in: file.head, nil) != nil }

  /// Returns the subjects of a file, as far as an error that ends the reading; nil for a file that does not name any.
  package func subjects(in file: any HistoryFile, _ options: ImportOptions) throws(HistoryError) -> FileSubjects? {
    let (separator, header) = try Self.knownHeader(of: file, options)
    guard let column = header.subject else { return nil }
    var names = SubjectColumn.Names()
    let table = CSVTable(separator: separator, lacks: Self.signature)
    do throws(HistoryError) {
      try table.forEachRow(of: file, header: { Self.columns($0, options) }) { (columns, row) throws(HistoryError) in
        if columns.value(in: row) != nil { names.add(row[column.index]) }
      }
    } catch .unreadable(let words) {
      throw .unreadable(words)
    } catch {
      // Reading ends at that row too, and reports it after the values before it.
    }
    return names.subjects(of: column)
  }

  @discardableResult package func read(
    _ file: any HistoryFile, _ options: ImportOptions, _ entry: (HistoryEntry) throws(HistoryError) -> Void
  ) throws(HistoryError) -> HistoryFacts {
    let subjects = try subjects(in: file, options)
    if let wanted = options.subject {
      guard let subjects else { throw .noSubjects }
      guard subjects.names.contains(wanted) else { throw .noSuchSubject(wanted, subjects) }
    } else if let subjects, subjects.names.count > 1 {
      throw .severalSubjects(subjects)
    }
    let facts = try read(file, options) { columns, row in
      guard let wanted = options.subject, let column = columns.subject else { return "" }
      return row[column.index] == wanted ? wanted : nil
    } entry: { (_, found) throws(HistoryError) in
      try entry(found)
    }
    return facts.values.first ?? HistoryFacts()
  }

  /// Reads a file once, and passes each entry on with the name of its subject. The subject of the options is ignored.
  ///
  /// Each subject's entries, and the returned facts about them, are those of a file with only the rows of this subject.
  package func readSubjects(
    of file: any HistoryFile, _ options: ImportOptions,
    _ entry: (_ subject: String, HistoryEntry) throws(HistoryError) -> Void
  ) throws(HistoryError) -> [String: HistoryFacts] {
    try read(file, options, whose: { columns, row in columns.subject.map { row[$0.index] } ?? "" }, entry: entry)
  }

  /// Reads the rows for which `whose` returns a subject, and passes each entry on with it.
  private func read(
    _ file: any HistoryFile, _ options: ImportOptions, whose: (Columns, CSVRow) -> String?,
    entry: (_ subject: String, HistoryEntry) throws(HistoryError) -> Void
  ) throws(HistoryError) -> [String: HistoryFacts] {
    let table = CSVTable(separator: try Self.knownHeader(of: file, options).separator, lacks: Self.signature)
    // A clock for each subject: the rows of one say nothing about the time of another's.
    var clocks: [String: RowDating] = [:]
    func clock(of subject: String) -> RowDating {
      if let known = clocks[subject] { return known }
      let new = RowDating(order: options.dateOrder ?? .yearFirst, options: options)
      clocks[subject] = new
      return new
    }
    let result = Result { () throws(HistoryError) in
      try table.forEachRow(of: file, header: { Self.columns($0, options) }) { (columns, row) throws(HistoryError) in
        guard let subject = whose(columns, row) else { return }
        let clock = clock(of: subject)
        guard let column = columns.value(in: row) else { return clock.passOver(PassedOver.absent) }
        guard let unit = columns.unit(of: column, options) else { throw .unknownUnit }
        try clock.refused.collect { () throws(HistoryError) in
          guard
            let glucose = try ShownGlucose.read(
              row[column.index], unit, limits: Self.limits, line: row.line, name: "glucose")
          else { return clock.passOver(PassedOver.absent) }
          let kind = Kind(columns.kind.map { row[$0] } ?? "")
          if kind == .blood, glucose.bound != nil { return clock.passOver(PassedOver.fingerSticksOutOfRange) }
          func made(_ time: Instant) -> HistoryEntry {
            if kind == .blood { return fingerStick(glucose, at: time) }
            return imported(glucose, at: time, ring: kind == .scan ? .trend : .history)
          }
          let moment = row[columns.time]
          if let instant = Instant(rfc3339: moment) ?? Self.sinceEpoch(moment) {
            return try entry(subject, made(instant))
          }
          let group = RowDating.Group(kind: kind.rawValue, isRegular: kind == .regular)
          try clock.add(
            moment, line: row.line, to: group, { (found) throws(HistoryError) in try entry(subject, found) }, make: made
          )
        }
      }
    }
    var facts: [String: HistoryFacts] = [:]
    for (subject, clock) in clocks.sorted(by: { $0.key < $1.key }) {
      facts[subject] = try clock.finish { (found) throws(HistoryError) in try entry(subject, found) }
    }
    try result.get()
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

  /// The time of a whole number: seconds since 1970, or milliseconds, which as seconds would be years after 5000.
  private static func sinceEpoch(_ text: String) -> Instant? {
    Int64(text).map { Instant(secondsSince1970: $0 > 100_000_000_000 ? $0 / 1_000 : $0) }
      .flatMap { Instant.writable.contains($0) ? $0 : nil }
  }

  // MARK: The header

  /// The header of a table, and its separator.
  ///
  /// - Throws: `columnsMissing` for a table without columns of the expected names, `notThisFormat` for any other file.
  private static func knownHeader(
    of file: any HistoryFile, _ options: ImportOptions
  ) throws(HistoryError) -> (separator: UInt8, columns: Columns) {
    if let found = header(in: file.head, options) { return found }
    guard let header = TableHeader(in: file.head) else { throw .notThisFormat(lacks: signature) }
    let named = [options.timeColumn, options.glucoseColumn].compactMap(\.self)
    throw .columnsMissing(named.filter { header.columns.firstIndex(of: [$0]) == nil }, found: header.columns.shown)
  }

  /// Returns the header, a line near the beginning of the file, and its separator; nil if no line is one.
  private static func header(in head: [UInt8], _ options: ImportOptions?) -> (separator: UInt8, columns: Columns)? {
    TableHeader.candidates(in: head).lazy.compactMap { line in
      columns(line.columns, options).map { (line.separator, $0) }
    }.first
  }

  private static func columns(_ header: CSVColumns, _ options: ImportOptions?) -> Columns? {
    let times = ["time", "local_time", "date_time", "datetime", "timestamp"]
    let names = times + ["# ", "#"].flatMap { prefix in times.map { prefix + $0 } }
    guard header.firstIndex(of: [ownColumn]) == nil,
      let time = header.firstIndex(of: options?.timeColumn.map { [$0] } ?? names)
    else { return nil }
    let glucose = glucose(header, options)
    if glucose.isEmpty { return nil }
    return Columns(
      time: time, glucose: glucose, kind: header.firstIndex(of: ["kind", "type"]), subject: SubjectColumn(header))
  }

  private static func glucose(_ header: CSVColumns, _ options: ImportOptions?) -> [(index: Int, unit: GlucoseUnit?)] {
    if let name = options?.glucoseColumn {
      return header.firstIndex(of: [name]).map { [($0, GlucoseUnit(namedIn: name))] } ?? []
    }
    let columns = GlucoseUnit.allCases.compactMap { unit in
      let words = [unit.rawValue, unit.rawValue.replacing("/", with: "_")]
      let names = words + words.flatMap { ["glucose_\($0)", "glucose \($0)", "glucose (\($0))"] }
      return header.firstIndex(of: names).map { (index: $0, unit: GlucoseUnit?.some(unit)) }
    }
    if !columns.isEmpty { return columns }
    return header.firstIndex(of: ["glucose", "value", "sgv"]).map { [($0, nil)] } ?? []
  }
}
