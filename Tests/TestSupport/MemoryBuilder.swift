// SPDX-License-Identifier: Apache-2.0

/// Builds a sensor's memory for a test: starts from a plain memory or from given bytes, sets fields by name, and seals
/// the regions.
///
/// All offsets of both layouts are written out here, and the checksum is computed one bit at a time. The builder
/// shares nothing with the decoder's map or with the simulator's writer: a reader and a writer that agree on a wrong
/// offset would otherwise prove each other right.
package struct MemoryBuilder: Hashable, Sendable {
  package let layout: Layout
  package var bytes: [UInt8]
  /// Blocks that a dump of this memory lacks.
  package var missingBlocks: [Int] = []

  package init(bytes: [UInt8], layout: Layout = .libre1) {
    self.bytes = bytes
    self.layout = layout
  }

  /// An active Libre 1 whose rings are written up to minute 1000 (trend) and 990 (history), with empty records, and the
  /// calibration numbers of the documentation's example. Its regions are not sealed yet.
  package init(state: UInt8 = 3, age: Int = 1_000, trendIndex: Int = 8, historyIndex: Int = 2, maxLife: Int = 20_700) {
    self.init(bytes: [UInt8](repeating: 0, count: 344))
    self.state = state
    self.age = age
    self.trendIndex = trendIndex
    self.historyIndex = historyIndex
    self.maxLife = maxLife
    region = 1
    fingerprint = [0x14, 0x07, 0x96, 0x80, 0x5A, 0x00, 0xED, 0xA6]
    setTableIndex(i1: 0, i2: 803)
    setCalibration(i3: 18, i4: 6_931, i5: 8_804, i6: 6_536)
  }

  /// A sealed Libre Pro memory: trend slot k holds 1000 + k counts, history record k holds 2000 + k. Both are between
  /// 32 and 33 °C with the i6 that is set.
  package static func pro(
    age: Int = 4_000, trendIndex: Int = 15, historyCount: Int = 266, records: Int = 266
  ) -> MemoryBuilder {
    var memory = MemoryBuilder(bytes: [UInt8](repeating: 0, count: 176 + 6 * records), layout: .pro)
    memory.state = 3
    memory.age = age
    memory.trendIndex = trendIndex
    memory.historyIndex = historyCount
    memory.maxLife = 20_160
    memory.set(Array("TEST000-T0000A".utf8), at: 24)
    memory.set([0x10, 0x01], at: 42)
    memory.fingerprint = [0x14, 0x03, 0x96, 0x80, 0x5A, 0x00, 0xED, 0xA6]
    // i6 6892: 1723 in the highest twelve bits.
    memory.set([0xB0, 0x6B], at: 62)
    for slot in 0..<16 { memory.setTrend(slot: slot, record(glucose: 1_000 + slot, temperature: 6_664, adjustment: 0)) }
    for slot in 0..<records {
      memory.setHistory(slot: slot, record(glucose: 2_000 + slot, temperature: 6_664, adjustment: 0))
    }
    memory.seal()
    return memory
  }

  /// Bytes that mean nothing; each region of `layout` that fits into them is sealed.
  package static func pattern(count: Int = 344, layout: Layout = .libre1) -> MemoryBuilder {
    var memory = MemoryBuilder(bytes: (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 41 &+ 7) }, layout: layout)
    memory.seal(Region.allCases.filter { layout.range(of: $0).upperBound <= count })
    return memory
  }

  // MARK: Fields

  package var state: UInt8 {
    get { bytes[4] }
    set { bytes[4] = newValue }
  }

  package var age: Int {
    get { number(at: layout.age) }
    set { setNumber(newValue, at: layout.age) }
  }

  /// The trend slot that is written next.
  package var trendIndex: Int {
    get { layout == .pro ? number(at: 76) : Int(bytes[26]) }
    set { if layout == .pro { setNumber(newValue, at: 76) } else { bytes[26] = UInt8(newValue) } }
  }

  /// The history slot that is written next; of a Libre Pro the number of its history records.
  package var historyIndex: Int {
    get { layout == .pro ? number(at: 78) : Int(bytes[27]) }
    set { if layout == .pro { setNumber(newValue, at: 78) } else { bytes[27] = UInt8(newValue) } }
  }

  /// The market of a Libre 1.
  package var region: UInt8 {
    get { bytes[323] }
    set { bytes[323] = newValue }
  }

  package var maxLife: Int {
    get { number(at: layout.maxLife) }
    set { setNumber(newValue, at: layout.maxLife) }
  }

  /// The eight constants behind the maximum life: those of Libre 1 or Libre 2.
  package var fingerprint: [UInt8] {
    get { Array(bytes[layout.fingerprint..<layout.fingerprint + 8]) }
    set { set(newValue, at: layout.fingerprint) }
  }

  /// The numbers of a Libre 1's first two bytes behind the header's checksum.
  package mutating func setTableIndex(i1: Int, i2: Int, endOfLifeCount: Int = 0) {
    setNumber(i1 | i2 << 3 | endOfLifeCount << 13, at: 2)
  }

  /// The last eight bytes of a Libre 1's footer; i5 and i6 are stored without their two lowest bits.
  package mutating func setCalibration(i3: Int, i4: Int, i5: Int, i6: Int) {
    var bits = UInt64(abs(i3)) | UInt64(i4) << 8 | UInt64(i5 / 4) << 40 | UInt64(i6 / 4) << 52
    if i3 < 0 { bits |= 1 << 33 }
    set((0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }, at: 336)
  }

  /// Writes the end-of-life log and its count, and keeps the table index.
  package mutating func setEndOfLife(_ entries: [(code: UInt8, minute: Int)]) {
    bytes[3] = bytes[3] & 0x1F | UInt8(entries.count) << 5
    for (index, entry) in entries.enumerated() {
      bytes[6 + 3 * index] = entry.code
      setNumber(entry.minute, at: 7 + 3 * index)
    }
  }

  // MARK: Records

  /// The six bytes of a record. Without an error flag the error field is 320, as on every Libre 1 since about 2016.
  package static func record(
    glucose: Int, temperature: Int = 6_552, adjustment: Int = -8, errorField: Int = 0x320, hasError: Bool = false
  ) -> [UInt8] {
    var bits = UInt64(glucose) | UInt64(errorField) << 14 | UInt64(temperature / 4) << 26
    bits |= UInt64(abs(adjustment) / 4) << 38
    if hasError { bits |= 1 << 25 }
    if adjustment < 0 { bits |= 1 << 47 }
    return (0..<6).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
  }

  package mutating func setTrend(slot: Int, _ record: [UInt8]) { set(record, at: layout.trend + 6 * slot) }

  package mutating func setHistory(slot: Int, _ record: [UInt8]) { set(record, at: layout.history + 6 * slot) }

  /// Writes the record of a minute from 1 on: slot k holds the minutes m with m ≡ k + 1 (mod 16).
  package mutating func setTrend(minute: Int, _ record: [UInt8]) { setTrend(slot: (minute - 1) % 16, record) }

  /// Writes the record of a minute from 15 on: slot k of a Libre 1 holds the minutes m with m / 15 ≡ k + 1 (mod 32).
  package mutating func setHistory(minute: Int, _ record: [UInt8]) { setHistory(slot: (minute / 15 - 1) % 32, record) }

  // MARK: Bytes

  package func number(at offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }

  /// Writes a number of two bytes, the lower one first.
  package mutating func setNumber(_ value: Int, at offset: Int) {
    (bytes[offset], bytes[offset + 1]) = (UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF))
  }

  package mutating func set(_ part: [UInt8], at offset: Int) {
    bytes.replaceSubrange(offset..<offset + part.count, with: part)
  }

  // MARK: Checksums

  /// Writes the checksums of the regions.
  package mutating func seal(_ regions: [Region] = Region.allCases) {
    for region in regions { bytes.seal(layout.range(of: region)) }
  }

  package func sealed() -> MemoryBuilder {
    var copy = self
    copy.seal()
    return copy
  }

  /// Makes the stored checksum of one region wrong.
  package mutating func breakChecksum(of region: Region) { bytes[layout.range(of: region).lowerBound] ^= 0x55 }

  /// The checksum that a region should have.
  package func checksum(of region: Region) -> UInt16 {
    BitwiseCRC.checksum(bytes[layout.range(of: region).dropFirst(2)])
  }

  // MARK: Layouts

  /// A part of the memory with a checksum in its first two bytes.
  package enum Region: CaseIterable, Sendable {
    case header, body, footer
  }

  package enum Layout: Sendable {
    case libre1, pro

    package func range(of region: Region) -> Range<Int> {
      switch (self, region) {
      case (.libre1, .header): 0..<24
      case (.libre1, .body): 24..<320
      case (.libre1, .footer): 320..<344
      case (.pro, .header): 0..<40
      case (.pro, .footer): 40..<72
      case (.pro, .body): 72..<176
      }
    }

    fileprivate var age: Int { self == .pro ? 74 : 316 }
    fileprivate var maxLife: Int { self == .pro ? 46 : 326 }
    fileprivate var fingerprint: Int { self == .pro ? 48 : 328 }
    fileprivate var trend: Int { self == .pro ? 80 : 28 }
    fileprivate var history: Int { self == .pro ? 176 : 124 }
  }
}
