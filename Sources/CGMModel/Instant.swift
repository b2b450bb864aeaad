// SPDX-License-Identifier: Apache-2.0

/// A moment in Coordinated Universal Time, in whole seconds.
///
/// A sensor counts whole minutes, so fractions of a second would not add precision.
public struct Instant: Hashable, Sendable, Comparable {
  /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
  public let secondsSince1970: Int64

  public init(secondsSince1970 seconds: Int64) { secondsSince1970 = seconds }

  /// The years 1 to 9998: each moment stays within RFC 3339's four-digit years when a sensor's whole life is added or
  /// subtracted.
  public static let writable = Instant(secondsSince1970: -62_135_596_800)...Instant(secondsSince1970: 253_370_764_799)

  /// 2014-01-01T00:00:00Z, the year in which the first of these sensors was sold. An earlier time comes from a clock
  /// that was not set, or the number is not a time.
  public static let firstSensor = Instant(secondsSince1970: 1_388_534_400)

  /// 2026-11-01T00:00:00Z, when this program was being written. A clock that shows an earlier time is wrong.
  public static let firstVersion = Instant(secondsSince1970: 1_793_491_200)

  package static let secondsPerDay: Int64 = 86_400

  package init(daysSince1970 days: Int) { secondsSince1970 = Int64(days) * Self.secondsPerDay }

  /// The moment `days` of 24 hours later (earlier if negative).
  public func adding(days: Int) -> Instant {
    Instant(secondsSince1970: secondsSince1970 + Int64(days) * Self.secondsPerDay)
  }

  /// The moment `minutes` later (earlier if negative).
  public func adding(minutes: Int) -> Instant {
    Instant(secondsSince1970: secondsSince1970 + Int64(minutes) * 60)
  }

  public static func < (left: Instant, right: Instant) -> Bool { left.secondsSince1970 < right.secondsSince1970 }
}

extension Instant {
  /// The moment in UTC: `2026-11-21T06:30:00Z`.
  public var rfc3339: String { rfc3339(offsetSeconds: 0) }

  /// The moment in UTC with milliseconds, `2026-11-21T06:30:00.000Z`, which programs written in JavaScript use.
  package var rfc3339Milliseconds: String { "\(rfc3339.dropLast()).000Z" }

  /// The moment as shown by a clock at UTC plus `offsetSeconds`, with that offset: `2024-05-02T12:15:00+02:00`.
  public func rfc3339(offsetSeconds: Int) -> String {
    var text: [UInt8] = []
    append(to: &text, offsetSeconds: offsetSeconds)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the same text as `rfc3339(offsetSeconds:)` to a text.
  package func append(to text: inout [UInt8], offsetSeconds: Int = 0) {
    let civil = CivilTime(self, offsetSeconds: offsetSeconds)
    let year = (0...9999).contains(civil.year) ? civil.year : 0
    if year != civil.year { text += Self.padded(civil.year, 4).utf8 }
    // The four digits of the year are left out where it has been written already.
    let start = year == civil.year ? text.count : text.count - 4
    text += repeatElement(0, count: start + 19 - text.count)
    var digits = text.mutableSpan
    if year == civil.year {
      Self.write(year / 100, at: start, in: &digits)
      Self.write(year % 100, at: start + 2, in: &digits)
    }
    Self.write(civil.month, at: start + 5, after: "-", in: &digits)
    Self.write(civil.day, at: start + 8, after: "-", in: &digits)
    Self.write(civil.hour, at: start + 11, after: "T", in: &digits)
    Self.write(civil.minute, at: start + 14, after: ":", in: &digits)
    Self.write(civil.second, at: start + 17, after: ":", in: &digits)
    if offsetSeconds == 0 {
      text.append(UInt8(ascii: "Z"))
    } else {
      text += Self.offset(offsetSeconds).utf8
    }
  }

  /// An offset from UTC as text: `+02:00`.
  public static func offset(_ seconds: Int) -> String {
    let minutes = abs(seconds) / 60
    return "\(seconds < 0 ? "-" : "+")\(padded(minutes / 60, 2)):\(padded(minutes % 60, 2))"
  }

  /// Reads RFC 3339 with `Z` or a numeric offset; a space is accepted for the `T`, and fractions of a second are
  /// dropped.
  ///
  /// The result is nil for any other text, also for a date without time and for a time without offset, because a guess
  /// could be wrong by hours; and for a moment that is not `writable`.
  public init?(rfc3339 text: String) {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[range] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
      }
      return value
    }
    func has(_ characters: String, at position: Int) -> Bool {
      position < bytes.count && characters.utf8.contains(bytes[position])
    }
    guard let year = number(0..<4), has("-", at: 4), let month = number(5..<7), has("-", at: 7),
      let day = number(8..<10), has("Tt ", at: 10), let hour = number(11..<13), has(":", at: 13),
      let minute = number(14..<16), has(":", at: 16), let second = number(17..<19),
      hour < 24, minute < 60, second <= 60, let days = CivilTime.daysSince1970(year: year, month: month, day: day)
    else { return nil }
    var position = 19
    if has(".", at: position) {
      let digits = bytes[(position + 1)...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard !digits.isEmpty else { return nil }
      position = digits.endIndex
    }
    var offset = 0
    if has("Zz", at: position) {
      position += 1
    } else {
      guard has("+-", at: position), let hours = number(position + 1..<position + 3), has(":", at: position + 3),
        let minutes = number(position + 4..<position + 6), hours < 24, minutes < 60
      else { return nil }
      offset = (has("-", at: position) ? -1 : 1) * (hours * 3_600 + minutes * 60)
      position += 6
    }
    guard position == bytes.count else { return nil }
    self.init(secondsSince1970: Int64(days * 86_400 + hour * 3_600 + minute * 60 + second - offset))
    guard Self.writable.contains(self) else { return nil }
  }

  /// Writes two digits, and the character before them.
  private static func write(
    _ number: Int, at position: Int, after mark: Unicode.Scalar? = nil, in text: inout MutableSpan<UInt8>
  ) {
    if let mark { text[position - 1] = UInt8(ascii: mark) }
    text[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10)
    text[position + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
