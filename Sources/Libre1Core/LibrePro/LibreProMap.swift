// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The layout of the memory of a Libre Pro or Libre H (Libre1Core/MemoryFormat, "Libre Pro"; read: xDrip, DiaBLE;
/// verified, unless stated otherwise, on five memories).
///
/// The place of i2, which the concentration needs, is not known: byte 26, which two programs use, is text, and byte 64,
/// which a third uses, could not be verified, because no official value for a Pro memory is public.
package enum LibreProMap {
  package static let byteCount = 176

  package static let header = MemoryMap.Region(kind: .header, start: 0, end: 40)
  package static let footer = MemoryMap.Region(kind: .footer, start: 40, end: 72)
  package static let body = MemoryMap.Region(kind: .body, start: 72, end: 176)
  // NFC can reach 8800 bytes: 70 blocks of program follow the history (read: DiaBLE; one available memory).
  package static let geometry = MemoryGeometry(
    family: .librePro, header: header, body: body, footer: footer,
    dataBlockCount: historyBlocks(count: history.slots).upperBound, fullBlockCount: 1_100)

  // MARK: Header

  package static let state = 4
  /// Fourteen ASCII characters; two bytes of unknown meaning follow.
  package static let text = (offset: 24, count: 14)

  // MARK: Footer

  /// Patch info byte 2; the region is byte 3 (read: DiaBLE), 0 on all five, although two patch infos have 8.
  package static let familyByte = 42
  package static let region = 43
  package static let maxLife = 46
  /// Eight constants, seven of them as on a Libre 1 (derived).
  package static let constants = (offset: 48, bytes: [0x14, 0x03, 0x96, 0x80, 0x5A, 0x00, 0xED, 0xA6] as [UInt8])
  /// One of the constants, at the same place among them as on a Libre 1: 150 on all five (derived).
  package static let minimumRawGlucose = 50
  /// The calibration, of which only i6 is used, for the thermistor: it gives 28 to 40 °C on all five (derived).
  package static let calibration = 56
  package static let i6 = BitField(offset: 56, first: 52, width: 12, scale: 4)

  // MARK: Body

  package static let age = 74
  package static let trendIndex = 76
  package static let historyCount = 78
  package static let trend = RingLayout(offset: 80, slots: 16, minutesPerSlot: 1)

  // MARK: History

  /// The history, which is not a ring: `slots` records are enough for a life of fourteen days (read: DiaBLE).
  package static let history = RingLayout(offset: 176, slots: 14 * 96, minutesPerSlot: 15)

  /// The blocks of this many history records.
  package static func historyBlocks(count: Int) -> Range<Int> {
    let bytes = min(max(count, 0), history.slots) * MemoryMap.Record.byteCount
    let first = history.offset / MemoryMap.blockSize
    return first..<first + (bytes + MemoryMap.blockSize - 1) / MemoryMap.blockSize
  }
}
