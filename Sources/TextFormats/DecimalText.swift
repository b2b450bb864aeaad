// SPDX-License-Identifier: Apache-2.0

package enum DecimalText {
  /// A number with its sign: `+1.2`, `-0.4`.
  package static func signed(_ number: String) -> String { number.hasPrefix("-") ? number : "+" + number }

  /// Returns at most `places` decimals, rounded half away from zero, without trailing zeros: `108.3719`, `32.03`, `5`.
  package static func shortest(_ value: Double, places: Int) -> String {
    var text: [UInt8] = []
    append(value, places: places, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the same text as `shortest` to a text.
  package static func append(_ value: Double, places: Int, to text: inout [UInt8]) {
    // Most numbers of a history are whole, such as the calibration's parameters in each sample.
    if let whole = Int32(exactly: value) { return append(Int(whole), to: &text) }
    let scaled = (value * scale(places)).rounded(.toNearestOrAwayFromZero)
    guard var units = Int64(exactly: scaled) else {
      text += whole(value, places: 0).utf8
      return
    }
    var decimals = places
    while decimals > 0, units % 10 == 0 {
      units /= 10
      decimals -= 1
    }
    append(Int(units), decimals: decimals, to: &text)
  }

  /// Appends a whole number to a text; with `decimals`, a point comes before so many of its digits.
  package static func append(_ number: Int, decimals: Int = 0, to text: inout [UInt8]) {
    // Twenty digits, the point and the sign, and zeros for a number with fewer digits than decimals.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 22 + decimals) { characters in
      var (rest, written, start) = (number.magnitude, 0, characters.count)
      repeat {
        if decimals > 0, written == decimals {
          start -= 1
          characters[start] = UInt8(ascii: ".")
        }
        let digit = rest % 10
        rest /= 10
        start -= 1
        characters[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
        written += 1
      } while rest > 0 || written <= decimals
      if number < 0 {
        start -= 1
        characters[start] = UInt8(ascii: "-")
      }
      text.append(contentsOf: characters[start...])
    }
  }

  /// Returns exactly `places` decimals. `value` must be finite.
  package static func fixed(_ value: Double, places: Int) -> String {
    let scaled = (value * scale(places)).rounded(.toNearestOrAwayFromZero)
    guard let units = Int64(exactly: scaled) else { return whole(value, places: places) }
    let padded = padded(String(units.magnitude), to: places + 1)
    let sign = units < 0 ? "-" : ""
    return places == 0 ? sign + padded : "\(sign)\(padded.dropLast(places)).\(padded.suffix(places))"
  }

  /// Puts zeros before digits.
  package static func padded(_ digits: String, to width: Int) -> String {
    String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Ten to the power of `places`, exact for as many places as a number of this type has.
  private static func scale(_ places: Int) -> Double {
    var power = 1.0
    for _ in 0..<places { power *= 10 }
    return power
  }

  /// The text of a number that is too large to have a fraction: its significant digits, then zeros. Such a number is
  /// far above any glucose value, but must not trap, and JSON readers may not expect an exponent.
  private static func whole(_ value: Double, places: Int) -> String {
    let parts = "\(value.magnitude)".split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : mantissa[0].count - 1
    let digits = parts.count > 1 ? mantissa.joined() : String(mantissa[0])
    let text = digits + String(repeating: "0", count: max(0, exponent + 1 - digits.count))
    // A mantissa such as 1.0 has one digit more than its exponent needs.
    let number = (value < 0 ? "-" : "") + text.prefix(exponent + 1)
    return places == 0 ? number : "\(number).\(String(repeating: "0", count: places))"
  }
}

package enum PercentText {
  /// Returns a whole number; "<1 %" for more than 0 and less than 1, ">99 %" for more than 99 and less than 100.
  package static func whole(_ value: Double) -> String {
    if value > 0, value < 1 { return "<1 %" }
    if value > 99, value < 100 { return ">99 %" }
    return "\(DecimalText.fixed(value, places: 0)) %"
  }
}

package enum CountText {
  /// Returns a count with its noun: `1 value`, `2 values`.
  package static func of(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

package enum DurationText {
  /// Returns a duration with its two largest units: `6 d 4 h`, `3 h 12 min`, `55 min`.
  package static func of(minutes: Int) -> String {
    let (days, hours, rest) = (minutes / 1440, minutes / 60 % 24, minutes % 60)
    if days > 0 { return "\(days) d \(hours) h" }
    return hours > 0 ? "\(hours) h \(rest) min" : "\(rest) min"
  }

  /// Returns a duration with its two largest units, below two minutes in seconds: `34 s`.
  package static func of(seconds: Int) -> String { seconds < 120 ? "\(seconds) s" : of(minutes: seconds / 60) }

  /// `1 min ago`, `just now`. A negative age means that the other clock is ahead of this one.
  package static func ago(minutes: Int) -> String {
    if minutes < 0 { return "\(of(minutes: -minutes)) ahead of this computer's clock" }
    return minutes == 0 ? "just now" : "\(of(minutes: minutes)) ago"
  }
}

/// A number of minutes as a person types it: `15m`, `2h`, `1d`.
package enum MinutesText {
  package static func minutes(_ text: String) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), (1...100_000).contains(number) else { return nil }
    switch text.dropFirst(digits.count) {
    case "m", "min", " min": return number
    case "h", " h": return number * 60
    case "d", " d": return number * 1_440
    default: return nil
    }
  }

  package static func short(_ minutes: Int) -> String {
    if minutes.isMultiple(of: 1_440) { return "\(minutes / 1_440)d" }
    return minutes.isMultiple(of: 60) ? "\(minutes / 60)h" : "\(minutes)m"
  }
}
