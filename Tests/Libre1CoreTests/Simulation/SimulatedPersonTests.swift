// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import NFCTransport
import TestSupport
import Testing

struct SimulatedPersonTests {
  private let person = SimulatedPerson(seed: 7, offsetSeconds: 3_600)
  private let end: Instant

  init() throws { end = try #require(Instant(rfc3339: "2024-05-16T10:00:00Z")) }

  private func scans(days: Int = 14, until end: Instant? = nil, perDay: Int = 6) -> [MemoryImage] {
    let end = end ?? self.end
    return person.scans(from: end.adding(days: -days), to: end, perDay: perDay)
  }

  /// The times of the history values in a scan, by the sensor's own start.
  private func history(_ scan: MemoryImage) throws -> (uid: SensorUID, minutes: [Int], values: [Double]) {
    let reading = try Libre1Decoder.decode(scan.bytes.span)
    let samples = reading.history.samples.filter { $0.minute.value > 0 }
    return (
      try #require(scan.uid), samples.map(\.minute.value),
      samples.filter { $0.minute.value >= 60 }.compactMap { $0.concentration?.milligramsPerDecilitre }
    )
  }

  @Test(
    "two weeks of scans miss no history value of a sensor, with four scans a day or more",
    arguments: [4, 6, 24])
  func complete(perDay: Int) throws {
    var minutes: [SensorUID: Set<Int>] = [:]
    for scan in scans(perDay: perDay) {
      let found = try history(scan)
      minutes[found.uid, default: []].formUnion(found.minutes)
    }
    #expect(minutes.count == 2, "one sensor is followed by another")
    for own in minutes.values {
      let (first, last) = (try #require(own.min()), try #require(own.max()))
      #expect(own.count == (last - first) / 15 + 1)
    }
    // Some minutes are missing between the two sensors and after the last scan.
    #expect(minutes.values.map(\.count).reduce(0, +) >= 14 * 96 - 4)
  }

  @Test("the last scan is at the end of the period, and all scans are in order within it")
  func order() throws {
    let times = scans().compactMap(\.readAt)
    #expect(times.last == end && times == times.sorted() && Set(times).count == times.count)
    #expect(times.allSatisfy { $0 > end.adding(days: -14) })
    #expect((84...88).contains(times.count))
    #expect(scans(days: 0).count <= 1)
  }

  @Test("scans generated for a period ending a day later are equal where both exist")
  func goesOn() throws {
    let (earlier, later) = (Set(scans()), Set(scans(until: end.adding(days: 1))))
    // The earlier period ends with a scan that the later one lacks, and one day of scans is out of its range.
    #expect(earlier.subtracting(later).count <= 8)
    #expect(earlier.intersection(later).count >= 78)
    #expect(
      Set(SimulatedPerson(seed: 8, offsetSeconds: 3_600).scans(from: end.adding(days: -14), to: end, perDay: 6))
        .isDisjoint(with: earlier))
  }

  @Test("each sensor has its own UID and start, is never worn past its life, and never at the same time as another")
  func sensors() throws {
    let scans = scans(days: 60)
    var starts: [SensorUID: Set<Int64>] = [:]
    var uids: [SensorUID] = []
    for scan in scans {
      let reading = try Libre1Decoder.decode(scan.bytes.span)
      #expect([.warmingUp, .active].contains(reading.memory.state))
      let (uid, time) = (try #require(scan.uid), try #require(scan.readAt))
      starts[uid, default: []].insert(time.secondsSince1970 / 60 - Int64(reading.memory.ageMinutes))
      if uids.last != uid { uids.append(uid) }
    }
    #expect(starts.count == uids.count && (5...6).contains(uids.count))
    #expect(starts.values.allSatisfy { $0.count == 1 })
  }

  @Test(
    "a person with diabetes has lows and highs, and most values in range",
    arguments: UInt64(0)..<UInt64(TestTier.rounds(4, full: 40)))
  func believable(seed: UInt64) throws {
    let person = SimulatedPerson(seed: seed, offsetSeconds: 0)
    var values: [Double] = []
    for scan in person.scans(from: end.adding(days: -14), to: end, perDay: 3) { values += try history(scan).values }
    func percent(_ belongs: (Double) -> Bool) -> Double {
      100 * Double(values.count(where: belongs)) / Double(values.count)
    }
    #expect((0.5...12).contains(percent { $0 < 70 }), "\(percent { $0 < 70 }) % low")
    #expect((5...45).contains(percent { $0 > 180 }), "\(percent { $0 > 180 }) % high")
    #expect(values.allSatisfy { (40...385).contains($0) })
  }
}
