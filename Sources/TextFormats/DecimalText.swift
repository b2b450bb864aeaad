// SPDX-License-Identifier: Apache-2.0

/// Numbers as decimal text, without Foundation and without exponents.
public enum DecimalText {
  /// At most `places` decimals, rounded half away from zero, without trailing zeros: `108.3719`, `32.03`, `5`.
  public static func shortest(_ value: Double, places: Int) -> String {
    // Most numbers of a history are whole: the calibration's, for each sample again.
    if let whole = Int32(exactly: value) { return String(whole) }
    // In bytes: a history is written with ten numbers a sample, and Characters cost more than all the rest of it.
    var text = fixed(value, places: places).utf8[...]
    if places > 0 {
      while text.last == UInt8(ascii: "0") { text.removeLast() }
      if text.last == UInt8(ascii: ".") { text.removeLast() }
    }
    return String(Substring(text))
  }

  /// Exactly `places` decimals. `value` must be finite.
  public static func fixed(_ value: Double, places: Int) -> String {
    let scale = (0..<places).reduce(1.0) { power, _ in power * 10 }
    let scaled = (value * scale).rounded(.toNearestOrAwayFromZero)
    guard let units = Int64(exactly: scaled) else { return whole(value, places: places) }
    let digits = String(units.magnitude)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    let sign = units < 0 ? "-" : ""
    return places == 0 ? sign + padded : "\(sign)\(padded.dropLast(places)).\(padded.suffix(places))"
  }

  /// A number so large that it has no fraction, or that its fraction is lost: the digits that tell it, then zeros. Far
  /// beyond any glucose value, but no number may trap, and no JSON reader should meet an exponent it did not expect.
  private static func whole(_ value: Double, places: Int) -> String {
    let parts = "\(value.magnitude)".split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : mantissa[0].count - 1
    let digits = parts.count > 1 ? mantissa.joined() : String(mantissa[0])
    let text = digits + String(repeating: "0", count: max(0, exponent + 1 - digits.count))
    // A mantissa such as 1.0 has a digit more than its exponent needs.
    let number = (value < 0 ? "-" : "") + text.prefix(exponent + 1)
    return places == 0 ? number : "\(number).\(String(repeating: "0", count: places))"
  }
}

/// Percentages as people read them.
public enum PercentText {
  /// Whole numbers; what is there but too little for one is not shown as nothing, nor what is not all as all.
  public static func whole(_ value: Double) -> String {
    if value > 0, value < 1 { return "<1 %" }
    if value > 99, value < 100 { return ">99 %" }
    return "\(DecimalText.fixed(value, places: 0)) %"
  }
}

/// Counts of things, as people read them.
package enum CountText {
  /// `1 value`, `2 values`.
  package static func of(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
