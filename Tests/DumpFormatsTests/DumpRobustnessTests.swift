// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import NFCTransport
import TestSupport
import Testing

@testable import DumpFormats

/// Reading any file must not trap, and an accepted memory must have a possible length.
struct DumpRobustnessTests {
  private let detector = DumpDetector(formats: [HexDump(), RawDump()])

  /// Parses with every format and with detection; an accepted image must have a possible length.
  private func survive(_ file: [UInt8], _ seed: UInt64) {
    for name in [nil, "hex", "raw"] {
      guard let (image, format) = try? detector.parse(file, as: name) else { continue }
      let count = image.bytes.count
      #expect(count <= 344 || (count <= 1_952 && count.isMultiple(of: 8)), "seed \(seed): \(count) bytes")
      #expect(format == name ?? format)
      #expect(count > 0, "seed \(seed)")
      // Two characters for each byte, or the bytes themselves.
      #expect(count == (format == "hex" ? min(count, file.count / 2) : file.count), "seed \(seed)")
      #expect(image.missingBlocks.isEmpty)
    }
  }

  @Test("survives files of random bytes")
  func bytes() {
    for seed in 0..<UInt64(TestTier.rounds(800, full: 8_000)) {
      var random = SplitMix64(seed: seed)
      let count = [random.number(0...40), random.number(0...40), 344, random.number(330...400)][random.number(0...3)]
      survive(random.bytes(count), seed)
    }
  }

  @Test("survives texts that look like hex")
  func hexLike() {
    let pieces = [
      "0", "F", "a7", "0x", "0X", "x", " ", "\n", "\r\n", "#", "# uid:", "# UID: E0", "# read-at: 2024-",
      "# patch-info: ",
      ":", "-", "T10:15:00Z", ",", "\"", "[", "]", "é", "\u{FEFF}", "Z", "E007A0000025905E",
      "000102030405060708090A0B0C0D",
      "\t", "\u{0}", "\u{301}",
    ]
    for seed in 8_000..<UInt64(8_000 + TestTier.rounds(800, full: 8_000)) {
      var random = SplitMix64(seed: seed)
      let text = (0..<random.number(0...30)).map { _ in pieces[random.number(0...pieces.count - 1)] }.joined()
      survive(Array(text.utf8), seed)
    }
  }

  @Test("survives valid dumps with a few bytes changed, cut out or cut off")
  func mutated() {
    let image = MemoryImage(
      bytes: Array(1...64), uid: SensorUID(bits: 0xE007_A000_0025_905E),
      patchInfo: PatchInfo([0xDF, 0, 0, 0, 0, 0]), readAt: Instant(secondsSince1970: 1_714_644_900))
    let good = Array(HexDump.text(of: image, notes: ["A dump."]).utf8)
    for seed in 16_000..<UInt64(16_000 + TestTier.rounds(600, full: 6_000)) {
      var random = SplitMix64(seed: seed)
      var file = good
      for _ in 0..<random.number(1...4) {
        let position = random.number(0...file.count - 1)
        switch random.number(0...3) {
        case 0: file[position] = UInt8(truncatingIfNeeded: random.next())
        case 1: file[position] ^= 1 << UInt8(random.number(0...7))
        case 2: file.removeSubrange(position..<min(file.count, position + random.number(1...9)))
        default: file = Array(file[...position])
        }
        if file.isEmpty { break }
      }
      survive(file, seed)
    }
  }
}
