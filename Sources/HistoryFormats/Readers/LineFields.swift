// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Reads the members' texts, with errors that name the line.
struct LineFields {
  let line: Int

  func bad(_ name: String, _ value: String?) -> HistoryError {
    .badField(line: line, name: name, value: value.map(SafeText.quoted) ?? "missing")
  }

  func value<Value: RawRepresentable>(
    _ name: String, _ text: String
  ) throws(HistoryError) -> Value where Value.RawValue == String {
    guard let value = Value(rawValue: text) else { throw bad(name, text) }
    return value
  }

  func number<Number: FixedWidthInteger>(
    _ name: String, _ value: Int, _ range: ClosedRange<Int>, step: Int = 1
  ) throws(HistoryError) -> Number {
    guard range.contains(value), value % step == 0, let number = Number(exactly: value) else {
      throw bad(name, "\(value)")
    }
    return number
  }

  func time(_ text: String?) throws(HistoryError) -> Instant? {
    guard let text else { return nil }
    guard let time = Instant(rfc3339: text) else { throw bad("time", text) }
    return time
  }

  /// Reads a UUID.
  func id(_ text: String?) throws(HistoryError) -> SampleID? {
    guard let text else { return nil }
    guard let bytes = HexText.bytes(of: text), bytes.count == 16 else { throw bad("id", text) }
    return SampleID(bytes: bytes)
  }
}
