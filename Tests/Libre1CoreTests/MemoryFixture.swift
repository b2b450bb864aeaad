// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport

@testable import Libre1Core

/// A memory put together byte by byte, with every offset of FORMAT 1 to 3 written out here and a checksum of its own.
///
/// It shares nothing with the decoder's map or with the simulator's writer: a reader and a writer that agree on a wrong
/// offset would prove each other right.
struct MemoryFixture {
  var bytes = [UInt8](repeating: 0, count: 344)
  var missingBlocks: [Int] = []

  /// An active sensor whose rings are written up to minute 1000 (trend) and 990 (history), with empty records, and the
  /// calibration numbers that CONTRACT 3 shows.
  init(state: UInt8 = 3, age: Int = 1_000, trendIndex: Int = 8, historyIndex: Int = 2, maxLife: Int = 20_700) {
    bytes[4] = state
    bytes[26] = UInt8(trendIndex)
    bytes[27] = UInt8(historyIndex)
    setNumber(age, at: 316)
    bytes[323] = 1
    setNumber(maxLife, at: 326)
    bytes.replaceSubrange(328..<336, with: [0x14, 0x07, 0x96, 0x80, 0x5A, 0x00, 0xED, 0xA6])
    setTableIndex(i1: 0, i2: 803)
    setCalibration(i3: 18, i4: 6_931, i5: 8_804, i6: 6_536)
  }

  mutating func setNumber(_ value: Int, at offset: Int) {
    bytes[offset] = UInt8(value & 0xFF)
    bytes[offset + 1] = UInt8(value >> 8 & 0xFF)
  }

  mutating func setTableIndex(i1: Int, i2: Int, endOfLifeCount: Int = 0) {
    setNumber(i1 | i2 << 3 | endOfLifeCount << 13, at: 2)
  }

  mutating func setCalibration(i3: Int, i4: Int, i5: Int, i6: Int) {
    var bits = UInt64(abs(i3)) | UInt64(i4) << 8 | UInt64(i5 / 4) << 40 | UInt64(i6 / 4) << 52
    if i3 < 0 { bits |= 1 << 33 }
    for index in 0..<8 { bytes[336 + index] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * index)) }
  }

  /// Writes the end-of-life log and its count, and leaves the table index as it is.
  mutating func setEndOfLife(_ entries: [(code: UInt8, minute: Int)]) {
    bytes[3] = bytes[3] & 0x1F | UInt8(entries.count) << 5
    for (index, entry) in entries.enumerated() {
      bytes[6 + 3 * index] = entry.code
      setNumber(entry.minute, at: 7 + 3 * index)
    }
  }

  /// Puts six bytes where the trend keeps `minute`: slot k holds the minutes m with m ≡ k + 1 (mod 16).
  mutating func setTrend(minute: Int, _ record: [UInt8]) {
    bytes.replaceSubrange(28 + 6 * ((minute - 1) % 16)..<34 + 6 * ((minute - 1) % 16), with: record)
  }

  /// Puts six bytes where the history keeps `minute`: slot k holds the minutes m with m / 15 ≡ k + 1 (mod 32).
  mutating func setHistory(minute: Int, _ record: [UInt8]) {
    bytes.replaceSubrange(124 + 6 * ((minute / 15 - 1) % 32)..<130 + 6 * ((minute / 15 - 1) % 32), with: record)
  }

  /// Six bytes of a record. Without an error flag the error field is 320, as on every Libre 1 since about 2016.
  static func record(
    glucose: Int, temperature: Int = 6_552, adjustment: Int = -8, errorField: Int = 0x320, hasError: Bool = false
  ) -> [UInt8] {
    var bits = UInt64(glucose) | UInt64(errorField) << 14 | UInt64(temperature / 4) << 26
    bits |= UInt64(abs(adjustment) / 4) << 38
    if hasError { bits |= 1 << 25 }
    if adjustment < 0 { bits |= 1 << 47 }
    return (0..<6).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
  }

  enum Region: CaseIterable {
    case header, body, footer

    var start: Int {
      switch self {
      case .header: 0
      case .body: 24
      case .footer: 320
      }
    }

    var covered: Range<Int> {
      switch self {
      case .header: 2..<24
      case .body: 26..<320
      case .footer: 322..<344
      }
    }
  }

  mutating func seal(_ regions: [Region] = Region.allCases) {
    for region in regions { setNumber(Int(BitwiseCRC.checksum(bytes[region.covered])), at: region.start) }
  }

  /// Makes the stored checksum of one region wrong.
  mutating func breakChecksum(of region: Region) { bytes[region.start] ^= 0x55 }

  func sealed() -> MemoryFixture {
    var copy = self
    copy.seal()
    return copy
  }

  func fram() throws(MemoryError) -> FRAM { try FRAM(MemoryImage(bytes: bytes, missingBlocks: missingBlocks)) }

  func validated(salvaging: Bool = false) throws(MemoryError) -> ValidatedFRAM {
    try fram().validated(salvaging: salvaging)
  }

  func decoded(
    calibration: any CalibrationModel = FactoryCalibration(), salvaging: Bool = false
  ) throws(MemoryError) -> DecodedMemory {
    Libre1Decoder.decode(try validated(salvaging: salvaging), calibration: calibration)
  }
}
