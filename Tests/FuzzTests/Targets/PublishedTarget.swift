// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import LibreDocuments
import NFCTransport
import TestSupport

@testable import LibreKit

/// The whole way from a memory to its published document, with each calibration: a hundred times as slow as the decoder
/// alone.
enum PublishedTarget {
  static let all = [FuzzTarget(name: "published", seeds: { seeds }, longest: 2_048, testRuns: 40, run: run)]

  /// What is known besides the bytes: a byte that says what, the UID, the patch info, the time. Then the memory.
  private static let seeds = Scenario.all.map { scenario in
    let image = scenario.image(seed: 1)
    return [0x0F] + (image.uid?.bytes ?? []) + (image.patchInfo?.bytes ?? []) + [0, 0x66, 0x33, 0x44, 0x55]
      + image.bytes.prefix(1_500)
  }

  private static func run(_ input: [UInt8]) throws {
    var draw = FuzzBytes(input)
    let choice = draw.byte()
    let uid = SensorUID(bits: draw.word())
    let patchInfo = PatchInfo(draw.bytes(6))
    // Readers of files and options take no moment that cannot be written.
    let time = draw.bytes(5).reduce(0) { $0 << 8 | Int64($1) } % (Instant.writable.upperBound.secondsSince1970 + 1)
    var bytes = Array(draw.rest)
    if choice & 0x10 == 0, bytes.count >= 344 {
      (bytes[26], bytes[27]) = (bytes[26] & 15, bytes[27] & 31)
      for region in SlowMemory.regions { bytes.seal(region) }
    } else if choice & 0x20 == 0, bytes.count >= 176 {
      for region in SlowPro.regions { bytes.seal(region) }
    }
    let image = MemoryImage(
      bytes: bytes, missingBlocks: choice & 0x40 == 0 ? [] : [Int(choice & 0x3F)].filter { $0 < bytes.count / 8 },
      uid: choice & 1 == 1 ? uid : nil, patchInfo: choice & 2 == 2 ? patchInfo : nil,
      readAt: choice & 4 == 4 ? Instant(secondsSince1970: time) : nil)
    for salvaging in [false, true] {
      let result = Result { () throws(LibreError) in try ReadingOracle.reading(of: image, salvaging: salvaging) }
      switch result {
      case .success(let reading): try ReadingOracle.check(reading)
      case .failure(let error):
        try require(!error.message.isEmpty && !error.resolution.isEmpty, "a reason in words: \(error)")
      }
    }
  }
}
