// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

/// The proof of the ring rule: what one sensor stored for one minute is the same in every scan of it.
@Suite(.enabled(if: ReferenceDumps.arePresent, "\(ReferenceDumps.absence)"))
struct RescanTests {
  /// The same production data in the footer and the same table index mean the same sensor. Memories with a bad body are
  /// left out, and so are torn ones, whose minute rests on the tear being understood.
  private struct Sensor: Hashable {
    let footer: [UInt8]
    let i2: Int
  }

  private struct Slot: Hashable {
    let ring: SampleRing
    let minute: Int
  }

  private func scansBySensor() throws -> [Sensor: [DecodedMemory]] {
    var scans: [Sensor: [DecodedMemory]] = [:]
    // Some memories were published twice; a scan compared with itself would prove nothing.
    var seen: Set<[UInt8]> = []
    for vector in ReferenceDumps.vectors where vector.isReadable && !vector.hasTornBody {
      let bytes = Array(try ReferenceDumps.bytes(of: vector.file).prefix(344))
      guard seen.insert(bytes).inserted else { continue }
      let sensor = Sensor(
        footer: Array(bytes[320..<336]), i2: (Int(bytes[2]) | Int(bytes[3]) << 8) >> 3 & 1_023)
      scans[sensor, default: []].append(try Libre1Decoder.decode(bytes))
    }
    return scans
  }

  /// Compares every pair of scans of a sensor in every minute that both hold, with minutes counted by `minute`.
  private func compare(
    _ ring: SampleRing, minute: (DecodedMemory, Int) -> Int?
  ) throws -> (equal: Int, different: Int) {
    var equal = 0
    var different = 0
    for scans in try scansBySensor().values {
      var records: [Slot: [UInt64]] = [:]
      for scan in scans {
        for index in 0..<(ring == .trend ? 16 : 32) {
          guard let minute = minute(scan, index), minute > 0,
            let record = scan.memory.record(ring, newest: index)
          else { continue }
          records[Slot(ring: ring, minute: minute), default: []].append(record.bits)
        }
      }
      for found in records.values {
        for (position, first) in found.enumerated() {
          for second in found[(position + 1)...] {
            if first == second { equal += 1 } else { different += 1 }
          }
        }
      }
    }
    return (equal, different)
  }

  @Test("one trend minute of one sensor never has two different records")
  func trend() throws {
    let (equal, different) = try compare(.trend) { scan, index in scan.trend[index]?.minute.value }
    print("trend: \(equal) equal pairs, \(different) different")
    #expect(different == 0)
    // 291 in the 118 memories at hand; Libre1Core/MemoryFormat, "Rings" counts 579 over a larger set.
    #expect(equal >= 291)
  }

  @Test("one history minute of one sensor never has two different records")
  func history() throws {
    let (equal, different) = try compare(.history) { scan, index in scan.history[index]?.minute.value }
    print("history: \(equal) equal pairs, \(different) different")
    #expect(different == 0)
    // 3997 in the 118 memories at hand, pair by pair; Libre1Core/MemoryFormat, "Rings" counts 3005 in its own way over
    // a larger set.
    #expect(equal >= 3_997)
  }

  @Test("counting minutes from the age instead gives conflicts, so this comparison can detect errors")
  func ageRule() throws {
    let (_, different) = try compare(.trend) { scan, index in scan.memory.ageMinutes - index }
    print("trend by age: \(different) different")
    #expect(different >= 100)
  }
}
