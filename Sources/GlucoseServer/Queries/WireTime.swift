// SPDX-License-Identifier: Apache-2.0
import CGMModel

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
    let digits = bytes.dropFirst(isNegative ? 1 : 0).prefix { isDigit($0) }
    guard !digits.isEmpty else { return nil }
    if digits.count == 4, !isNegative, bytes.count > 4, bytes[4] == UInt8(ascii: "-") { return iso(bytes) }
    // No moment that can be written has more than 15 digits.
    let number = digits.count > 15 ? 999_999_999_999_999 : Int64(String(decoding: digits, as: UTF8.self)) ?? 0
    return isNegative ? -number : number
  }

  private static func iso(_ bytes: [UInt8]) -> Int64? {
    var position = 0
    func number(_ count: Int) -> Int? {
      guard position + count <= bytes.count, bytes[position..<position + count].allSatisfy(isDigit) else { return nil }
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
        while position < bytes.count, isDigit(bytes[position]) {
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

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
