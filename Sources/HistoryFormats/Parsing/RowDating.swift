// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Converts the dates of a file's rows, which have no zone, into moments.
///
/// When summer time ends, one hour is repeated, and its rows have two possible moments. They are held back until the
/// order of the rows in their group shows which one is correct (HistoryFormats/Formats, "Local times").
///
/// A row is next to another only among values at regular times: at most 20 minutes apart, which is more than any
/// sensor's interval and less than any clock change. A row between two such neighbours is an hour away from one of
/// them, and it is not known from which. Rows with the newest first are treated the same, read backwards.
///
/// A class, because the rows that it dates are also counted while they are read.
final class RowDating {
  private struct Row {
    let summer: Instant
    let winter: Instant
    /// Makes the entry once the moment is known.
    let make: (Instant) -> HistoryEntry
  }

  /// The rows of one kind and device, which are in the order of time.
  struct Group: Hashable {
    var device: String?
    var kind: Int
    /// True for values that a sensor measures at regular times.
    let isRegular: Bool
  }

  private struct GroupState {
    /// The moment of the last row with only one.
    var previous: Instant?
    var rows: [Row] = []
  }

  private let order: ImportOptions.DateOrder
  private let options: ImportOptions
  private var states: [Group: GroupState] = [:]
  private var heldBack = 0
  private var facts = HistoryFacts()
  var refused = RefusedRecords()

  private static let reachSeconds: Int64 = 20 * 60
  /// The maximum number of rows that are held back: two hours with a value every two seconds, for more devices than one
  /// person has.
  private static let rowLimit = 4_096
  private static let groupLimit = 1_024

  init(order: ImportOptions.DateOrder, options: ImportOptions) {
    self.order = order
    self.options = options
  }

  /// Calls `read` with a clock for its rows, and passes on the rows that are still held back at their end, or at an
  /// error.
  static func dating(
    _ order: ImportOptions.DateOrder, _ options: ImportOptions, _ entry: (HistoryEntry) throws(HistoryError) -> Void,
    _ read: (RowDating) throws(HistoryError) -> Void
  ) throws(HistoryError) -> HistoryFacts {
    let clock = RowDating(order: order, options: options)
    let result = Result { () throws(HistoryError) in try read(clock) }
    let facts = try clock.finish(entry)
    try result.get()
    return facts
  }

  /// Passes on the rows that are still held back, and returns the facts about all rows.
  func finish(_ entry: (HistoryEntry) throws(HistoryError) -> Void) throws(HistoryError) -> HistoryFacts {
    try settleAll(entry)
    facts.refused = refused
    return facts
  }

  /// Counts a row that is skipped.
  func passOver(_ reason: String) { facts.passedOver[reason, default: 0] += 1 }

  /// Passes on a row's entry, and those before it whose moment it shows; or holds it back.
  func add(
    _ text: String, line: Int, to group: Group, _ entry: (HistoryEntry) throws(HistoryError) -> Void,
    make: @escaping (Instant) -> HistoryEntry
  ) throws(HistoryError) {
    let moments = options.clock.moments(of: try civilTime(text, line: line))
    facts.hasLocalTimes = true
    facts.dateOrder = order
    guard let first = moments.first, let last = moments.last else { return passOver(PassedOver.skippedHour) }
    if states.count >= Self.groupLimit && states[group] == nil || heldBack >= Self.rowLimit { try settleAll(entry) }
    var state = states[group] ?? GroupState()
    // The held-back row is from another year's clock change.
    if let row = state.rows.first,
      first == last || abs(row.summer.secondsSince1970 - first.secondsSince1970) > Instant.secondsPerDay
    {
      try settle(&state, group, next: first, entry)
    }
    if first == last {
      state.previous = first
      try entry(make(first))
    } else {
      state.rows.append(Row(summer: first, winter: last, make: make))
      heldBack += 1
    }
    states[group] = state
  }

  private func civilTime(_ text: String, line: Int) throws(HistoryError) -> CivilTime {
    guard let date = LocalDate(text) else {
      throw .badLine(line, "expected a date and time, got \(SafeText.quoted(text))")
    }
    guard let time = date.civilTime(order) else {
      let words = date.isYearFirst ? "" : ", with \(order.words)"
      throw .badLine(line, "invalid date \(SafeText.quoted(text))\(words)")
    }
    return time
  }

  // MARK: The hour that is repeated

  private func settleAll(_ entry: (HistoryEntry) throws(HistoryError) -> Void) throws(HistoryError) {
    let all = states
    states = [:]
    for (group, state) in all.sorted(by: { ($0.key.device ?? "", $0.key.kind) < ($1.key.device ?? "", $1.key.kind) }) {
      var state = state
      try settle(&state, group, next: nil, entry)
    }
  }

  /// Passes on the rows that were held back, except those without a moment. `next` is the row after them.
  private func settle(
    _ state: inout GroupState, _ group: Group, next: Instant?, _ entry: (HistoryEntry) throws(HistoryError) -> Void
  ) throws(HistoryError) {
    let rows = state.rows
    let moments = Self.moments(of: rows, isRegular: group.isRegular, previous: state.previous, next: next)
    state.rows = []
    state.previous = rows.last?.summer
    heldBack -= rows.count
    for (row, moment) in zip(rows, moments) {
      if let moment { try entry(row.make(moment)) } else { passOver(PassedOver.doubleHour) }
    }
  }

  /// Returns the moment of each row; nil for one that is unknown.
  private static func moments(of rows: [Row], isRegular: Bool, previous: Instant?, next: Instant?) -> [Instant?] {
    switch goesForwards(rows, previous: previous, next: next) {
    case true?: forwards(rows, isRegular: isRegular, before: previous, after: next)
    case false?: forwards(rows.reversed(), isRegular: isRegular, before: next, after: previous).reversed()
    case nil: rows.map { _ in nil }
    }
  }

  /// True if the oldest row comes first; nil if this is unknown, or if the rows are in no order.
  private static func goesForwards(_ rows: [Row], previous: Instant?, next: Instant?) -> Bool? {
    guard let hour = rows.first?.summer else { return nil }
    // A moment outside that hour is before or after it for both possible moments of the rows.
    let signs = [previous.map { $0 < hour }, next.map { $0 > hour }].compactMap(\.self)
    if let first = signs.first { return signs.allSatisfy { $0 == first } ? first : nil }
    // All rows are of that hour. In the right order the clock goes back once, between its two runs.
    let steps = zip(rows, rows.dropFirst()).filter { $0.summer != $1.summer }.map { $0.summer < $1.summer }
    let (ups, downs) = (steps.count { $0 }, steps.count { !$0 })
    if downs == 1, ups > 1 { return true }
    if ups == 1, downs > 1 { return false }
    return nil
  }

  private static func forwards(_ rows: [Row], isRegular: Bool, before: Instant?, after: Instant?) -> [Instant?] {
    // An earlier time than in the row before means that the clock was put back; for values at regular times, an equal
    // time too.
    let breaks = rows.indices.dropFirst().filter { index in
      let (before, now) = (rows[index - 1].summer, rows[index].summer)
      return isRegular ? now <= before : now < before
    }
    if breaks.count == 1 { return rows.indices.map { $0 < breaks[0] ? rows[$0].summer : rows[$0].winter } }
    let inSummer = linked(rows.map(\.summer), to: before)
    let inWinter = linked(rows.map(\.winter).reversed(), to: after)
    guard breaks.isEmpty, isRegular, inSummer + inWinter <= rows.count else { return rows.map { _ in nil } }
    return rows.indices.map { index in
      if index < inSummer { return rows[index].summer }
      return index >= rows.count - inWinter ? rows[index].winter : nil
    }
  }

  /// Returns the number of these moments that follow a known one, each next to the one before.
  private static func linked(_ moments: [Instant], to known: Instant?) -> Int {
    guard var last = known else { return 0 }
    var count = 0
    for moment in moments {
      guard abs(moment.secondsSince1970 - last.secondsSince1970) <= reachSeconds else { break }
      last = moment
      count += 1
    }
    return count
  }
}

extension ImportOptions.DateOrder {
  fileprivate var words: String {
    switch self {
    case .dayFirst: "the day first"
    case .monthFirst: "the month first"
    case .yearFirst: "the year first"
    }
  }
}
