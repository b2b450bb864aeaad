// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import Libre1Core
import LibreKit
import NFCTransport
import TestSupport
import Testing

@Suite("A report of TagInfo about a Libre 2") struct TagInfoLibre2Tests {
  private let image: MemoryImage

  init() throws { image = try #require(Scenario.named("libre2")).image(seed: 1) }

  private func report(_ bytes: [UInt8], uid: SensorUID?) -> [UInt8] {
    let rows = stride(from: 0, to: bytes.count / 8 * 8, by: 8).map { start in
      "[\(HexText.string(of: [UInt8(start / 8)]))] . \(HexText.string(of: bytes[start..<start + 8], separator: " "))\n"
    }
    let head = uid.map { "ID: \(HexText.string(of: $0.bytes, separator: ":"))\n" } ?? ""
    return Array(("** TagInfo scan (version 4.25.5) **\n\(head)# Memory content:\n" + rows.joined()).utf8)
  }

  /// The bytes that are left if the one before each eight is taken for a lock byte.
  private var left: [UInt8] { image.bytes.enumerated().filter { $0.offset % 9 != 0 }.map(\.element) }

  private func decode(
    _ bytes: [UInt8], isUIDInText: Bool = true, hasPatchInfo: Bool = false, salvage: Bool = false
  ) throws -> SensorReading {
    var options = DecodeOptions()
    options.salvage = salvage
    if !isUIDInText { options.uid = image.uid }
    if hasPatchInfo { options.patchInfo = image.patchInfo }
    return try DumpDecoder(options: options).decode(report(bytes, uid: isUIDInText ? image.uid : nil))
  }

  @Test(
    "lacks every ninth byte, and the error says so, whatever else is known of the sensor",
    arguments: [true, false], [true, false])
  func lost(isUIDInText: Bool, hasPatchInfo: Bool) throws {
    // A report of more blocks than those of the memory is as long as a whole one.
    for bytes in [left, left + [UInt8](repeating: 0x5A, count: 80)] {
      for salvage in [false, true] {
        #expect(throws: LibreError.dump(.takenForLocks)) {
          try decode(bytes, isUIDInText: isUIDInText, hasPatchInfo: hasPatchInfo, salvage: salvage)
        }
      }
    }
    let file = try DumpDecoder().open(report(left, uid: image.uid))
    #expect(throws: LibreError.dump(.takenForLocks)) { try DumpDecoder().plainImage(in: file) }
  }

  @Test("is read if all its bytes are there", arguments: [true, false])
  func whole(isUIDInText: Bool) throws {
    let reading = try decode(image.bytes, isUIDInText: isUIDInText, hasPatchInfo: true)
    #expect(reading.sensor.family == .libre2 && reading.trend.count == 16)
    // Its key is in it.
    #expect(try decode(image.bytes, isUIDInText: isUIDInText).trend == reading.trend)
    // Damage to one block is damage to one block.
    var damaged = image.bytes
    damaged[100] ^= 1
    #expect { try decode(damaged, hasPatchInfo: true) } throws: { ($0 as? LibreError)?.code == "crc_mismatch" }
    // An unread memory, and the same rows of a Libre 1, have the errors that they had.
    #expect(throws: LibreError.memory(.blank(0))) { try decode([UInt8](repeating: 0, count: 344)) }
    #expect(throws: LibreError.dump(.truncated(found: 304, needed: 344))) {
      try DumpDecoder().decode(report(left, uid: LiteralMemory.uid))
    }
  }
}
