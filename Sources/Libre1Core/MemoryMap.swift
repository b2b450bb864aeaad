// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The layout of the 344 bytes that a FreeStyle Libre 1 shows over NFC (Libre1Core/MemoryFormat, "Regions"): every
/// offset, width and mask. `Datasheet` has the confidence in each field.
@usableFromInline package enum MemoryMap {
  package static let blockSize = 8
  package static let blockCount = 43
  package static let byteCount = blockSize * blockCount
  /// The number of bytes that NFC can reach on a Libre 1; code follows the footer (verified: 26 full memories).
  package static let fullByteCount = 1952

  // MARK: Regions

  /// A range of memory with its own checksum in its first two bytes.
  package struct Region: Hashable, Sendable {
    package let kind: MemoryRegion
    package let start: Int
    package let end: Int
    package var name: String { kind.name }
    /// All its bytes, including the two of the checksum.
    package var bytes: Range<Int> { start..<end }
    /// The bytes that the checksum covers.
    package var covered: Range<Int> { start + 2..<end }
    package var blocks: Range<Int> { start / MemoryMap.blockSize..<end / MemoryMap.blockSize }
  }

  package static let header = Region(kind: .header, start: 0, end: 24)
  package static let body = Region(kind: .body, start: 24, end: 320)
  package static let footer = Region(kind: .footer, start: 320, end: 344)
  package static let regions = [header, body, footer]
  package static let geometry = MemoryGeometry(
    family: .libre1, header: header, body: body, footer: footer, dataBlockCount: blockCount,
    fullBlockCount: fullByteCount / blockSize)
  /// The sensor's program; its checksum identifies the generation of the firmware. Only full dumps have it.
  package static let code = Region(kind: .code, start: 344, end: 1904)

  // MARK: Header

  package static let i1 = BitField(offset: 2, first: 0, width: 3)
  package static let i2 = BitField(offset: 2, first: 3, width: 10)
  package static let endOfLifeCount = BitField(offset: 2, first: 13, width: 3)
  package static let state = 4
  package static let activity = 5
  /// The log entries of three bytes each: a state or failure code, then a minute.
  package static let endOfLifeLog = (offset: 6, stride: 3, capacity: 6)

  // MARK: Body

  package static let trendIndex = 26
  package static let historyIndex = 27
  package static let trend = RingLayout(offset: 28, slots: 16, minutesPerSlot: 1)
  package static let history = RingLayout(offset: 124, slots: 32, minutesPerSlot: 15)
  package static let age = 316
  package static let initializations = 318
  package static let bodyPadding = 319

  // MARK: Footer

  package static let familyByte = 322
  package static let region = 323
  package static let lot = 324
  package static let maxLife = 326
  package static let fingerprint = (offset: 328, count: 8)
  /// Bytes that with i2 identify a sensor (derived; no two are known to be equal).
  package static let identity = familyByte..<fingerprint.offset + fingerprint.count
  package static let minimumRawGlucose = 330
  package static let maximumDelta = 332
  package static let calibration = (offset: 336, count: 8)
  package static let i3Magnitude = BitField(offset: 336, first: 0, width: 8)
  package static let i4 = BitField(offset: 336, first: 8, width: 14)
  package static let i3IsNegative = BitField(offset: 336, first: 33, width: 1)
  package static let i5 = BitField(offset: 336, first: 40, width: 12, scale: 4)
  package static let i6 = BitField(offset: 336, first: 52, width: 12, scale: 4)

  // MARK: Record

  /// A record of 48 bits, numbered from the lowest bit of its first byte. The fields are computed, not stored, so that
  /// the compiler sees the numbers in other modules, too.
  @usableFromInline package enum Record {
    package static let byteCount = 6
    @inlinable package static var glucose: BitField { BitField(offset: 0, first: 0, width: 14) }
    @inlinable package static var errorField: BitField { BitField(offset: 0, first: 14, width: 11) }
    @inlinable package static var hasError: BitField { BitField(offset: 0, first: 25, width: 1) }
    @inlinable package static var temperature: BitField { BitField(offset: 0, first: 26, width: 12, scale: 4) }
    @inlinable package static var adjustmentMagnitude: BitField { BitField(offset: 0, first: 38, width: 9, scale: 4) }
    @inlinable package static var adjustmentIsNegative: BitField { BitField(offset: 0, first: 47, width: 1) }
  }
}

package struct RingLayout: Hashable, Sendable {
  package let offset: Int
  package let slots: Int
  package let minutesPerSlot: Int
}

@usableFromInline package struct BitField: Hashable, Sendable {
  /// The offset of the number's first byte.
  @usableFromInline package let offset: Int
  /// Bit 0 is the lowest bit of the first byte.
  @usableFromInline package let first: Int
  @usableFromInline package let width: Int
  /// The stored bits are multiplied by it.
  @usableFromInline package let scale: Int

  @inlinable package init(offset: Int, first: Int, width: Int, scale: Int = 1) {
    self.offset = offset
    self.first = first
    self.width = width
    self.scale = scale
  }

  /// The value in `word`, the number that starts at `offset`.
  @inlinable @inline(__always) package func value(in word: UInt64) -> Int {
    Int(truncatingIfNeeded: word >> UInt64(truncatingIfNeeded: first) & (1 << UInt64(truncatingIfNeeded: width) &- 1))
      &* scale
  }

  /// `word` with this field set to the lowest bits of `value`.
  package func setting(_ value: Int, in word: UInt64) -> UInt64 {
    let mask: UInt64 = ((1 << UInt64(width)) &- 1) << UInt64(first)
    return (word & ~mask) | ((UInt64(truncatingIfNeeded: value / scale) << UInt64(first)) & mask)
  }
}
