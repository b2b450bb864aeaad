// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport

/// A memory put together byte by byte, with the offsets of FORMAT 1 to 3 written out and a checksum of its own, so that
/// neither the simulator's writer nor the decoder's map has a say in what it means.
struct LiteralMemory {
  /// The sample of CONTRACT 3: 1319 counts at 32.03 °C are 108.3719 mg/dL with i2 803, i3 18, i4 6931, i6 6536.
  static let contractRecord = record(glucose: 1_319, temperature: 6_552, adjustment: -8)
  /// The UID of CONTRACT 3, whose serial number is 0M00009DHCR.
  static let uid = SensorUID(bits: 0xE007_A000_0025_905E)!
  static let patchInfo = PatchInfo([0xDF, 0, 0, 1, 0, 0])!
  /// 2024-05-02T10:15:00Z.
  static let readAt = Instant(secondsSince1970: 1_714_644_900)

  var bytes: [UInt8]

  /// An active sensor with every slot of both rings that its age allows filled with the sample of CONTRACT 3.
  init(state: UInt8 = 3, age: Int = 1_000, maxLife: Int = 20_630) {
    bytes = [UInt8](repeating: 0, count: 344)
    setNumber(803 << 3, at: 2)
    bytes[4] = state
    bytes[26] = UInt8(age % 16)
    bytes[27] = UInt8(age / 15 % 32)
    for slot in 0..<min(16, age) { set(Self.contractRecord, at: 28 + 6 * slot) }
    for slot in 0..<min(32, age / 15) { set(Self.contractRecord, at: 124 + 6 * slot) }
    setNumber(age, at: 316)
    bytes[323] = 1
    setNumber(maxLife, at: 326)
    set([0x14, 0x07, 0x96, 0x80, 0x5A, 0x00, 0xED, 0xA6], at: 328)
    // i3 18, i4 6931, i5 8804 (a quarter of it stored) and i6 6536 (likewise).
    let calibration: UInt64 = 18 | 6_931 << 8 | (8_804 / 4) << 40 | (6_536 / 4) << 52
    for index in 0..<8 { bytes[336 + index] = UInt8(truncatingIfNeeded: calibration >> UInt64(8 * index)) }
    seal()
  }

  /// Six bytes of FORMAT 5: 14 bits glucose, 11 error field, 1 error, 12 temperature / 4, 9 adjustment / 4, 1 its sign.
  static func record(
    glucose: Int, temperature: Int, adjustment: Int = 0, hasError: Bool = false, errorField: Int = 800
  ) -> [UInt8] {
    var bits = UInt64(glucose) | UInt64(errorField) << 14 | UInt64(temperature / 4) << 26
    bits |= UInt64(abs(adjustment) / 4) << 38
    if hasError { bits |= 1 << 25 }
    if adjustment < 0 { bits |= 1 << 47 }
    return (0..<6).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
  }

  mutating func set(_ part: [UInt8], at offset: Int) { bytes.replaceSubrange(offset..<offset + part.count, with: part) }

  mutating func setNumber(_ value: Int, at offset: Int) {
    set([UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)], at: offset)
  }

  /// Puts a record where the trend keeps `minute`: slot k holds the minutes m with m ≡ k + 1 (mod 16).
  mutating func setTrend(minute: Int, _ record: [UInt8]) {
    set(record, at: 28 + 6 * ((minute - 1) % 16))
    seal()
  }

  /// Puts a record where the history keeps `minute`: slot k holds the minutes m with m / 15 ≡ k + 1 (mod 32).
  mutating func setHistory(minute: Int, _ record: [UInt8]) {
    set(record, at: 124 + 6 * ((minute / 15 - 1) % 32))
    seal()
  }

  /// Changes bytes and makes the checksums for them.
  func edited(_ change: (inout LiteralMemory) -> Void) -> [UInt8] {
    var copy = self
    change(&copy)
    copy.seal()
    return copy.bytes
  }

  /// Changes bytes and leaves the checksums as they were.
  func damaged(_ change: (inout LiteralMemory) -> Void) -> [UInt8] {
    var copy = self
    change(&copy)
    return copy.bytes
  }

  mutating func seal() {
    for region in [0..<24, 24..<320, 320..<344] { bytes.seal(region) }
  }

  /// The 176 bytes of a Libre Pro, of which only the three checksums are sound (FORMAT 7), and zeros up to `count`.
  static func pro(count: Int = 176) -> [UInt8] {
    var memory = LiteralMemory()
    memory.bytes = (0..<count).map { $0 < 176 ? UInt8(truncatingIfNeeded: $0 &* 29 &+ 3) : 0 }
    // Active, 15 000 minutes old, of 20 160; slot 8 is written next, 999 history records so far.
    for (offset, byte) in [
      (4, 3), (46, 0xC0), (47, 0x4E), (74, 0x98), (75, 0x3A), (76, 8), (77, 0), (78, 0xE7), (79, 0x03),
    ] as [(Int, UInt8)] { memory.bytes[offset] = byte }
    for region in [0..<40, 40..<72, 72..<176] { memory.bytes.seal(region) }
    return memory.bytes
  }

  /// Bytes in which nothing holds.
  static let noise: [UInt8] = (0..<344).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 7 &+ 13 &* $0 &+ 1) }
}
