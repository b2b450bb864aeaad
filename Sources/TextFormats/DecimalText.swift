// SPDX-License-Identifier: Apache-2.0

/// Decimal text of numbers, without Foundation and without exponents.
public enum DecimalText {
  /// Returns at most `places` decimals, rounded half away from zero, without trailing zeros: `108.3719`, `32.03`, `5`.
  public static func shortest(_ value: Double, places: Int) -> String {
    // Most numbers of a history are whole, such as the calibration's parameters in each sample.
    if let whole = Int32(exactly: value) { return String(whole) }
    // On bytes, because a history has ten numbers a sample, and Characters would take most of the time.
    var text = fixed(value, places: places).utf8[...]
    if places > 0 {
      while text.last == UInt8(ascii: "0") { text.removeLast() }
      if text.last == UInt8(ascii: ".") { text.removeLast() }
    }
    return String(Substring(text))
  }

  /// Returns exactly `places` decimals. `value` must be finite.
  public static func fixed(_ value: Double, places: Int) -> String {
    let scale = (0..<places).reduce(1.0) { power, _ in power * 10 }
    let scaled = (value * scale).rounded(.toNearestOrAwayFromZero)
    guard let units = Int64(exactly: scaled) else { return whole(value, places: places) }
    let digits = String(units.magnitude)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    let sign = units < 0 ? "-" : ""
    return places == 0 ? sign + padded : "\(sign)\(padded.dropLast(places)).\(padded.suffix(places))"
  }

  /// Returns the text of a number that is too large to have a fraction: its significant digits, then zeros. Such a
  /// number is far above any glucose value, but must not trap, and JSON readers may not expect an exponent.
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

/// Percentages for people.
public enum PercentText {
  /// Returns a whole number; "<1 %" for more than 0 and less than 1, ">99 %" for more than 99 and less than 100.
  public static func whole(_ value: Double) -> String {
    if value > 0, value < 1 { return "<1 %" }
    if value > 99, value < 100 { return ">99 %" }
    return "\(DecimalText.fixed(value, places: 0)) %"
  }
}

/// Counts for people.
package enum CountText {
  /// Returns a count with its noun: `1 value`, `2 values`.
  package static func of(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
