// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// One condition of a query: `find[date][$gt]=1767265500000`.
struct FindCondition {
  enum Comparison: String {
    case equal = "eq"
    case notEqual = "ne"
    case greater = "gt"
    case greaterOrEqual = "gte"
    case less = "lt"
    case lessOrEqual = "lte"
    case anyOf = "in"
    case noneOf = "nin"
    case exists = "exists"
    case pattern = "regex"

    var takesSet: Bool { self == .anyOf || self == .noneOf }
  }

  let field: String
  let comparison: Comparison
  /// Several only if the comparison `takesSet`.
  var values: [String]

  /// Members that hold a moment, whatever form it is written in.
  private static let moments: Set = [
    "date", "mills", "dateString", "sysTime", "created_at", "timestamp", "srvCreated", "srvModified",
  ]
  /// Members that some records of Nightscout have and ours never do.
  private static let neverThere: Set = ["insulin", "carbs"]

  var isOnTime: Bool { Self.moments.contains(field) && comparison != .exists }

  /// Unknown members, and values that cannot be compared, are ignored.
  func matches(_ record: WireRecord) -> Bool {
    let value = record[field] ?? (Self.neverThere.contains(field) ? .null : nil)
    if comparison == .exists {
      let isThere = value != nil && value != .null
      return isThere == (values.first != "false" && values.first != "0")
    }
    switch value {
    case nil, .flag: return true
    case .null: return comparison == .notEqual || comparison == .noneOf
    case .milliseconds(let time), .date(let time):
      return compare(Int64(time.milliseconds)) { QueryTime.milliseconds($0) }
    case .whole(let number): return compare(Double(number), Self.number)
    case .decimal(let number): return compare(number, Self.number)
    case .text(let text): return compare(text) { $0 }
    }
  }

  /// A value of the query that cannot be read matches nothing: to leave the condition out would answer with more than was
  /// asked for.
  private func compare<Value: Comparable>(_ value: Value, _ read: (String) -> Value?) -> Bool {
    func isAny() -> Bool { values.contains { text in read(text) == value || isMatched(value, by: text) } }
    func holds(_ relation: (Value, Value) -> Bool) -> Bool {
      values.first.flatMap(read).map { relation(value, $0) } ?? false
    }
    switch comparison {
    case .equal, .anyOf: return isAny()
    case .notEqual, .noneOf: return !isAny()
    case .greater: return holds(>)
    case .greaterOrEqual: return holds(>=)
    case .less: return holds(<)
    case .lessOrEqual: return holds(<=)
    case .exists: return true
    case .pattern: return values.contains { isMatched(value, by: "/\($0)/") }
    }
  }

  /// True if the value contains a part of a pattern. What a client sends is never compiled.
  private func isMatched<Value>(_ value: Value, by expression: String) -> Bool {
    guard let text = value as? String, expression.utf8.count > 2, expression.hasPrefix("/"),
      let end = expression.lastIndex(of: "/"), end > expression.startIndex
    else { return false }
    let ignoresCase = expression[expression.index(after: end)...].contains("i")
    let inside = expression[expression.index(after: expression.startIndex)..<end]
    return inside.split(separator: "|").contains { alternative in
      let begins = alternative.first == "^"
      let ends = alternative.last == "$"
      let literal = String(alternative.dropFirst(begins ? 1 : 0).dropLast(ends ? 1 : 0))
      let (wanted, found) = ignoresCase ? (literal.lowercased(), text.lowercased()) : (literal, text)
      return switch (begins, ends) {
      case (true, true): found == wanted
      case (true, false): found.hasPrefix(wanted)
      case (false, true): found.hasSuffix(wanted)
      case (false, false): found.contains(wanted)
      }
    }
  }

  /// The number at the beginning of a text; what follows it is passed over.
  private static func number(_ text: String) -> Double? {
    Double(text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") })
  }

  /// True if `span` says the same.
  fileprivate var isLimit: Bool { span != (nil, nil) }

  /// The first and the last moment at which it can hold; nil where it sets no limit on that side.
  fileprivate var span: (from: Instant?, to: Instant?) {
    guard isOnTime, let milliseconds = values.first.flatMap(QueryTime.milliseconds) else { return (nil, nil) }
    switch comparison {
    case .greater: return (Instant(notBefore: milliseconds + 1), nil)
    case .greaterOrEqual: return (Instant(notBefore: milliseconds), nil)
    case .less: return (nil, Instant(notAfter: milliseconds - 1))
    case .lessOrEqual: return (nil, Instant(notAfter: milliseconds))
    case .equal: return (Instant(notBefore: milliseconds), Instant(notAfter: milliseconds))
    default: return (nil, nil)
    }
  }
}

/// Conditions that a client puts on a list of records, and how many it wants (GlucoseServer/ClientsAndPaths, "Queries").
struct FindQuery {
  /// Maximum number of records in one answer, 12 MB. A client continues with `find[date][$lt]`.
  static let largestCount = 50_000

  var conditions: [FindCondition] = []
  /// Groups of `find[$or][0]…`, one of which has to hold; empty without any.
  private(set) var alternatives: [[FindCondition]] = []
  private(set) var count: Int?

  /// The grammar of versions 1 and 2: `find[field]=value`, `find[field][$operator]=value`, `[$in][0]=`, `[$or][0][field]…`.
  init(_ request: ServerRequest) {
    var groups: [(key: String, conditions: [FindCondition])] = []
    for (name, value) in request.query where name.hasPrefix("find[") {
      var keys = Self.keys(name)
      var group: String?
      if keys.count > 2, keys[0] == "$or" || keys[0] == "$and" {
        if keys[0] == "$or" { group = keys[1] }
        keys.removeFirst(2)
      }
      guard let condition = Self.condition(keys, value) else { continue }
      guard let group else {
        Self.add(condition, to: &conditions)
        continue
      }
      let index = groups.firstIndex { $0.key == group } ?? groups.endIndex
      if index == groups.endIndex { groups.append((group, [])) }
      Self.add(condition, to: &groups[index].conditions)
    }
    alternatives = groups.map(\.conditions)
    count = Self.count(request["count"], isDated: isDated)
  }

  /// The grammar of version 3: `field=value`, `field$operator=value`, several values of `in` separated by `|`.
  init(versionThree request: ServerRequest) {
    let others: Set = ["sort", "sort$desc", "limit", "skip", "fields", "token", "now"]
    for (name, value) in request.query where !others.contains(name) {
      let parts = name.split(separator: "$", maxSplits: 1).map(String.init)
      guard let field = parts.first,
        let comparison = FindCondition.Comparison(rawValue: parts.count > 1 ? parts[1] : "eq")
      else { continue }
      let values = comparison.takesSet ? value.split(separator: "|").map(String.init) : [value]
      conditions.append(FindCondition(field: field, comparison: comparison, values: values))
    }
  }

  /// True with a condition on a time: without one, only the last days are answered.
  var isDated: Bool { conditions.contains(where: \.isOnTime) || alternatives.joined().contains(where: \.isOnTime) }

  /// The moments outside of which nothing matches.
  var span: (from: Instant?, to: Instant?) {
    conditions.reduce(into: (from: Instant?.none, to: Instant?.none)) { span, condition in
      let (from, to) = condition.span
      if let from { span.from = max(span.from ?? from, from) }
      if let to { span.to = min(span.to ?? to, to) }
    }
  }

  /// True if the time span alone decides the query.
  var isSpanOnly: Bool { alternatives.isEmpty && conditions.allSatisfy { $0.isLimit } }

  func matches(_ record: WireRecord) -> Bool {
    conditions.allSatisfy { $0.matches(record) }
      && (alternatives.isEmpty || alternatives.contains { group in group.allSatisfy { $0.matches(record) } })
  }

  /// True if a condition names this type, so that records of it may be answered.
  func asks(forType type: String) -> Bool {
    (conditions + alternatives.joined()).contains {
      $0.field == "type" && ($0.comparison == .equal || $0.comparison == .anyOf) && $0.values.contains(type)
    }
  }

  /// `find[date][$gt]` is `["date", "$gt"]`.
  private static func keys(_ name: String) -> [String] {
    name.dropFirst("find".count).split(separator: "[").map { String($0.prefix { $0 != "]" }) }
  }

  private static func condition(_ keys: [String], _ value: String) -> FindCondition? {
    guard let field = keys.first, !field.isEmpty, !field.hasPrefix("$") else { return nil }
    let name = keys.count > 1 && keys[1] != "" ? keys[1] : "$eq"
    guard name.hasPrefix("$"), let comparison = FindCondition.Comparison(rawValue: String(name.dropFirst())) else {
      return nil
    }
    return FindCondition(field: field, comparison: comparison, values: [value])
  }

  /// The values of one list come as several parameters.
  private static func add(_ condition: FindCondition, to conditions: inout [FindCondition]) {
    let same = conditions.firstIndex { $0.field == condition.field && $0.comparison == condition.comparison }
    if condition.comparison.takesSet, let same {
      conditions[same].values += condition.values
    } else {
      conditions.append(condition)
    }
  }

  /// Leading digits of `3/`, every record for `all`, and for 0 with a date.
  private static func count(_ text: String?, isDated: Bool) -> Int? {
    guard let text else { return nil }
    if text == "all" { return largestCount }
    let digits = text.prefix { $0.isASCII && $0.isNumber }.prefix(9)
    guard let number = Int(digits) else { return nil }
    if number == 0 { return isDated ? largestCount : nil }
    return min(number, largestCount)
  }
}

extension Instant {
  func adding(seconds: Int64) -> Instant { Instant(secondsSince1970: secondsSince1970 + seconds) }

  /// Milliseconds since 1970, the unit of all of these programs.
  var milliseconds: Int { Int(secondsSince1970) * 1_000 }

  /// Rounds milliseconds since 1970 up, or down, to a moment.
  init(notBefore milliseconds: Int64) {
    let (seconds, rest) = milliseconds.floorDivided(by: 1_000)
    self.init(secondsSince1970: rest == 0 ? seconds : seconds + 1)
  }

  init(notAfter milliseconds: Int64) {
    self.init(secondsSince1970: milliseconds.floorDivided(by: 1_000).quotient)
  }
}

/// A moment as clients write it in a query, in milliseconds since 1970.
enum QueryTime {
  /// Milliseconds, or ISO 8601; what follows a number is passed over (GlucoseServer/ClientsAndPaths, "Queries").
  static func milliseconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    let isNegative = bytes.first == UInt8(ascii: "-")
    let digits = bytes.dropFirst(isNegative ? 1 : 0).prefix(while: \.isDigit)
    guard !digits.isEmpty else { return nil }
    if digits.count == 4, !isNegative, bytes.count > 4, bytes[4] == UInt8(ascii: "-") { return iso(bytes) }
    // No moment that can be written has more than 15 digits.
    let number = digits.count > 15 ? 999_999_999_999_999 : Int64(String(decoding: digits, as: UTF8.self)) ?? 0
    return isNegative ? -number : number
  }

  private static func iso(_ bytes: [UInt8]) -> Int64? {
    var position = 0
    func number(_ count: Int) -> Int? {
      guard position + count <= bytes.count, bytes[position..<position + count].allSatisfy(\.isDigit) else {
        return nil
      }
      defer { position += count }
      return Int(String(decoding: bytes[position..<position + count], as: UTF8.self))
    }
    func skip(_ characters: String) -> UInt8? {
      guard position < bytes.count, characters.utf8.contains(bytes[position]) else { return nil }
      defer { position += 1 }
      return bytes[position]
    }
    guard let year = number(4), skip("-") != nil, let month = number(2), skip("-") != nil, let day = number(2) else {
      return nil
    }
    var (hour, minute, second, fraction, offset) = (0, 0, 0, 0, 0)
    if skip("Tt ") != nil, let hours = number(2) {
      hour = hours
      if skip(":") != nil { minute = number(2) ?? 0 }
      if skip(":") != nil { second = min(number(2) ?? 0, 59) }
      if skip(".,") != nil {
        var scale = 100
        while position < bytes.count, bytes[position].isDigit {
          fraction += Int(bytes[position] - UInt8(ascii: "0")) * scale
          scale /= 10
          position += 1
        }
      }
      // A space is a plus sign that was not escaped.
      if let sign = skip("+- "), let hours = number(2) {
        _ = skip(":")
        offset = (hours * 60 + (number(2) ?? 0)) * (sign == UInt8(ascii: "-") ? -60 : 60)
      }
    }
    guard let civil = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second) else {
      return nil
    }
    return civil.instant(offsetSeconds: offset).secondsSince1970 * 1_000 + Int64(fraction)
  }
}
