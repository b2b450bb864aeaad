// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Turns the dates of a file's rows, which have no zone, into moments.
///
/// When summer time ends, one hour comes twice, and its rows have two moments each. They are held back until the order
/// of the rows of their group tells which is meant:
///
/// | rows in that hour | are |
/// |---|---|
/// | twice from its beginning to its end | first in summer time, then in winter time |
/// | once, next to a row before that hour, and not next to one after it | in summer time |
/// | once, next to a row after that hour, and not next to one before it | in winter time |
/// | others | passed over: nobody can tell |
///
/// "Next to" is for values at regular times alone: no more than 20 minutes apart, which is more than any sensor's step
/// and less than any change of clocks. A row between two such neighbours has an hour missing on one side or the other,
/// and nothing tells on which. Newest first is the same, read backwards.
struct RowDating {
  /// What a row becomes once its moment is known.
  typealias Making = (Instant) -> HistoryEntry

  private struct Row {
    let summer: Instant
    let winter: Instant
    let make: Making
  }

  /// Rows of one kind and device, which stand in the order of time.
  struct Group: Hashable {
    var device: String?
    var kind: Int
    /// True for values that a sensor gives at regular times.
    let isRegular: Bool
  }

  private struct Course {
    /// The moment of the last row that has one alone.
    var previous: Instant?
    var rows: [Row] = []
  }

  private let order: ImportOptions.DateOrder
  private let options: ImportOptions
  private var courses: [Group: Course] = [:]
  private var heldBack = 0
  /// How many rows have no moment, and whether there were any.
  private var facts = HistoryFacts()

  private static let reachSeconds: Int64 = 20 * 60
  /// Two hours with a value every two seconds, and far more devices than one person has: more are not waited for.
  private static let rowLimit = 4_096
  private static let groupLimit = 1_024

  private init(order: ImportOptions.DateOrder, options: ImportOptions) {
    self.order = order
    self.options = options
  }

  /// Lets `read` add rows to a clock, and hands over what is still held back at their end, or at a fault among them.
  ///
  /// Returns how many rows have no moment, by the reason, and whether there were any. Throws what `read` throws.
  static func dating(
    _ order: ImportOptions.DateOrder, _ options: ImportOptions, _ entry: (HistoryEntry) throws(HistoryError) -> Void,
    _ read: (inout RowDating) throws(HistoryError) -> Void
  ) throws(HistoryError) -> HistoryFacts {
    var clock = RowDating(order: order, options: options)
    let failure: HistoryError?
    do throws(HistoryError) {
      try read(&clock)
      failure = nil
    } catch {
      failure = error
    }
    try clock.settleAll(entry)
    if let failure { throw failure }
    return clock.facts
  }

  /// Hands over a row's entry, and those before it of which it tells the moment; or keeps it back.
  ///
  /// Throws `badLine` for a text that is no date.
  mutating func add(
    _ text: String, line: Int, to group: Group, _ entry: (HistoryEntry) throws(HistoryError) -> Void,
    make: @escaping Making
  ) throws(HistoryError) {
    let moments = options.clock.moments(of: try civilTime(text, line: line))
    facts.hasLocalTimes = true
    guard let first = moments.first, let last = moments.last else {
      return facts.passedOver[PassedOver.skippedHour, default: 0] += 1
    }
    if courses.count >= Self.groupLimit && courses[group] == nil || heldBack >= Self.rowLimit { try settleAll(entry) }
    var course = courses[group] ?? Course()
    // Of another year's change of clocks.
    if let row = course.rows.first,
      first == last || abs(row.summer.secondsSince1970 - first.secondsSince1970) > Instant.secondsPerDay
    {
      try settle(&course, group, next: first, entry)
    }
    if first == last {
      course.previous = first
      try entry(make(first))
    } else {
      course.rows.append(Row(summer: first, winter: last, make: make))
      heldBack += 1
    }
    courses[group] = course
  }

  private func civilTime(_ text: String, line: Int) throws(HistoryError) -> CivilTime {
    guard let date = LocalDate(text) else { throw .badLine(line, "\(SafeText.quoted(text)) is no date and time") }
    guard let time = date.civilTime(order) else {
      let words = date.isYearFirst ? "" : ", with \(order.words)"
      throw .badLine(line, "\(SafeText.quoted(text)) is no date of a calendar\(words)")
    }
    return time
  }

  // MARK: The hour that comes twice

  private mutating func settleAll(_ entry: (HistoryEntry) throws(HistoryError) -> Void) throws(HistoryError) {
    let all = courses
    courses = [:]
    let held = all.filter { !$0.value.rows.isEmpty }
    for (group, course) in held.sorted(by: { ($0.key.device ?? "", $0.key.kind) < ($1.key.device ?? "", $1.key.kind) })
    {
      var course = course
      try settle(&course, group, next: nil, entry)
    }
  }

  /// Hands over the rows that were held back, those without a moment left out. `next` is the row after them.
  private mutating func settle(
    _ course: inout Course, _ group: Group, next: Instant?, _ entry: (HistoryEntry) throws(HistoryError) -> Void
  ) throws(HistoryError) {
    let rows = course.rows
    let moments = Self.moments(of: rows, isRegular: group.isRegular, previous: course.previous, next: next)
    course.rows = []
    course.previous = rows.last?.summer
    heldBack -= rows.count
    for (row, moment) in zip(rows, moments) {
      if let moment { try entry(row.make(moment)) } else { facts.passedOver[PassedOver.doubleHour, default: 0] += 1 }
    }
  }

  /// The moment of each row; nil where nothing tells it.
  private static func moments(of rows: [Row], isRegular: Bool, previous: Instant?, next: Instant?) -> [Instant?] {
    let undecided = [Instant?](repeating: nil, count: rows.count)
    guard let goesForwards = goesForwards(rows, previous: previous, next: next) else { return undecided }
    if goesForwards { return forwards(rows, isRegular: isRegular, before: previous, after: next) }
    return forwards(rows.reversed(), isRegular: isRegular, before: next, after: previous).reversed()
  }

  /// Whether the rows stand oldest first; nil if nothing tells, or if they do not stand in any order.
  private static func goesForwards(_ rows: [Row], previous: Instant?, next: Instant?) -> Bool? {
    guard let hour = rows.first?.summer else { return nil }
    // A moment outside that hour is before it or after it, whichever of the two its rows are of.
    let signs = [previous.map { $0 < hour }, next.map { $0 > hour }].compactMap(\.self)
    if let first = signs.first { return signs.allSatisfy { $0 == first } ? first : nil }
    // All rows are of that hour. In the right order its two runs have one step back between them.
    let steps = zip(rows, rows.dropFirst()).filter { $0.summer != $1.summer }.map { $0.summer < $1.summer }
    let (ups, downs) = (steps.count { $0 }, steps.count { !$0 })
    if downs == 1, ups > 1 { return true }
    if ups == 1, downs > 1 { return false }
    return nil
  }

  private static func forwards(_ rows: [Row], isRegular: Bool, before: Instant?, after: Instant?) -> [Instant?] {
    // Where the clock shows an earlier time than in the row before, it has been put back; and at regular times, where
    // it shows the same.
    let breaks = rows.indices.dropFirst().filter { index in
      let (before, now) = (rows[index - 1].summer, rows[index].summer)
      return isRegular ? now <= before : now < before
    }
    if breaks.count > 1 { return [Instant?](repeating: nil, count: rows.count) }
    if let second = breaks.first {
      return rows.indices.map { $0 < second ? rows[$0].summer : rows[$0].winter }
    }
    guard isRegular else { return [Instant?](repeating: nil, count: rows.count) }
    let inSummer = linked(rows.map(\.summer), to: before)
    let inWinter = linked(rows.map(\.winter).reversed(), to: after)
    if inSummer + inWinter > rows.count { return [Instant?](repeating: nil, count: rows.count) }
    return rows.indices.map { index in
      if index < inSummer { return rows[index].summer }
      return index >= rows.count - inWinter ? rows[index].winter : nil
    }
  }

  /// How many of these moments follow a known one, each next to the one before.
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
