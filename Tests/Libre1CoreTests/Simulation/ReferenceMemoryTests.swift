// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TestSupport
import Testing

/// Compares the writer with memories of real sensors; none of their bytes is stored here.
@Suite(.enabled(if: ReferenceDumps.arePresent, "\(ReferenceDumps.absence)"))
struct ReferenceMemoryTests {
  @Test("every valid real memory is reproduced byte for byte from its values")
  func rewritten() throws {
    var sound = 0
    for vector in ReferenceDumps.vectors where vector.isReadable {
      let bytes = try ReferenceDumps.bytes(of: vector.file)
      guard bytes.count >= 344, let memory = try? FRAM(bytes.span).validated(),
        let parameters = memory.calibrationParameters,
        let maxLife = memory.maxLifeMinutes, memory.integrity.body == .ok
      else { continue }
      sound += 1
      var writer = MemoryWriter()
      writer.state = bytes[4]
      writer.activity = bytes[5]
      writer.endOfLife = memory.endOfLife
      writer.failure = memory.failure
      writer.trendIndex = UInt8(try #require(memory.trendIndex))
      writer.historyIndex = UInt8(try #require(memory.historyIndex))
      writer.trend = Self.slots(of: .trend, count: 16, next: try #require(memory.trendIndex), in: memory)
      writer.history = Self.slots(of: .history, count: 32, next: try #require(memory.historyIndex), in: memory)
      writer.ageMinutes = memory.storedAgeMinutes
      writer.initializations = UInt8(memory.initializations)
      (writer.familyByte, writer.region) = (bytes[322], bytes[323])
      writer.batch = UInt16(bytes[324]) | UInt16(bytes[325]) << 8
      writer.maxLifeMinutes = maxLife
      if memory.footerFamily == .libre2 { writer.fingerprint = FooterFingerprint.libre2 }
      // The 17 bits between i4, the sign of i3 and i5, which are not in the parameters.
      let word = bytes[336..<344].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      writer.unexplainedCalibrationBits = word & 0x0000_00FD_FFC0_0000
      writer.calibration = parameters
      let written = writer.memory()
      let original = Self.withoutNegativeZeros(Array(bytes[..<344]))
      let differing = (0..<344).filter { written[$0] != original[$0] }
      #expect(differing.isEmpty, "\(vector.file) differs at \(differing)")
    }
    #expect(sound > 0)
  }

  /// Some sensors write an adjustment of zero with a minus sign. Values are the same for both, and so is this form.
  static func withoutNegativeZeros(_ bytes: [UInt8]) -> [UInt8] {
    var memory = MemoryBuilder(bytes: bytes)
    for start in stride(from: 28, to: 316, by: 6) where bytes[start + 4] < 0x40 && bytes[start + 5] == 0x80 {
      memory.bytes[start + 5] = 0
    }
    memory.seal()
    return memory.bytes
  }

  /// The records of a ring in slot order.
  private static func slots(of ring: SampleRing, count: Int, next: Int, in memory: ValidatedFRAM) -> [RecordFields] {
    (0..<count).compactMap { slot in
      memory.record(ring, newest: (next - 1 - slot + 2 * count) % count).map(RecordFields.init)
    }
  }
}
