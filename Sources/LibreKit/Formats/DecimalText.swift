// SPDX-License-Identifier: Apache-2.0

/// Numbers as decimal text, without Foundation and without exponents.
public enum DecimalText {
  /// At most `places` decimals, rounded half away from zero, without trailing zeros: `108.3719`, `32.03`, `5`.
  public static func shortest(_ value: Double, places: Int) -> String {
    let text = fixed(value, places: places)
    guard text.contains(".") else { return text }
    let trimmed = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
    return String(trimmed.reversed())
  }

  /// Exactly `places` decimals. `value` must be finite.
  public static func fixed(_ value: Double, places: Int) -> String {
    let scale = (0..<places).reduce(1.0) { power, _ in power * 10 }
    let scaled = (value * scale).rounded(.toNearestOrAwayFromZero)
    // Far beyond any glucose value, but no number may trap.
    guard let units = Int64(exactly: scaled) else { return "\(value)" }
    let digits = String(units.magnitude)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    let sign = units < 0 ? "-" : ""
    return places == 0 ? sign + padded : "\(sign)\(padded.dropLast(places)).\(padded.suffix(places))"
  }
}
