// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Meters

@Suite("Continuing from a bookmark")
struct BookmarkTests {
  private typealias Script = GlucoseScript
  private static let all = MeterStep.perform(.records(.reportAll), within: .seconds(35))

  /// What a meter sends to a program with a bookmark, and what comes of it.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var bookmark = 5
    let events: [MeterEvent]
    var readsAll = true
    var wasReset = false
    let numbers: [Int]
  }

  static let cases = [
    Case(
      testDescription: "the last record is unchanged, and a later one follows", bookmark: 248,
      events: [Script.record(248), Script.record(249), Script.end()], readsAll: false, numbers: [248, 249]),
    Case(
      testDescription: "the last record has another value: reset",
      events: [
        Script.record(5, milligrams: 140), Script.end(), .accepted, Script.record(0, day: 2),
        Script.record(5, milligrams: 140), Script.end(),
      ], wasReset: true, numbers: [0, 5]),
    Case(
      testDescription: "the last record has another time: reset",
      events: [
        Script.record(5, day: 2), Script.end(), .accepted, Script.record(0, day: 2), Script.record(5, day: 2),
        Script.end(),
      ], wasReset: true, numbers: [0, 5]),
    Case(
      testDescription: "all numbers are lower: reset", bookmark: 300,
      events: [Script.end(6), .accepted, Script.record(0, day: 2), Script.record(1, day: 2), Script.end()],
      wasReset: true, numbers: [0, 1]),
    Case(
      testDescription: "the last record was overwritten by later ones",
      events: [
        Script.record(900), Script.record(901), Script.end(), .accepted, Script.record(900), Script.record(901),
        Script.end(),
      ], numbers: [900, 901]),
    Case(testDescription: "the meter was emptied", events: [Script.end(6), .accepted, Script.end(6)], numbers: []),
    Case(
      testDescription: "the meter cannot select records",
      events: [Script.end(2), .accepted, Script.record(4), Script.record(5), Script.record(6), Script.end()],
      numbers: [4, 5, 6]),
    Case(
      testDescription: "the user has set the clock: only the offset of the last record is another",
      events: [.value(.glucoseMeasurement, offset(of: Script.packet(5))), Script.end()], readsAll: false, numbers: [5]),
  ]

  /// The packet with an offset of an hour.
  private static func offset(of packet: [UInt8]) -> [UInt8] {
    [packet[0] | 1] + packet[1..<10] + [60, 0] + packet[10...]
  }

  @Test("asks for the last record and the later ones, and goes on or reads all; a reset is noticed", arguments: cases)
  func outcome(given: Case) {
    var procedure = Script.procedure(bookmark: Script.bookmark(given.bookmark))
    let steps = procedure.play(Script.start + given.events)
    // Without counting.
    #expect(steps[3] == .perform(.records(.report(from: UInt16(given.bookmark))), within: .seconds(35)))
    #expect(steps.contains(Self.all) == given.readsAll && steps.last == .finished)
    #expect(procedure.wasReset == given.wasReset)
    #expect(procedure.takeRecords().numbers == given.numbers)
  }

  @Test("is not done with a bookmark that cannot be decoded, nor for a meter that numbers its records anew")
  func movingNumbers() throws {
    for var procedure in [
      Script.procedure(bookmark: MeterBookmark(sequenceNumber: 5, packet: [1, 2])),
      Script.procedure(name: "TNG VOICE", bookmark: Script.bookmark(0)),
    ] {
      #expect(procedure.play(Script.start)[3] == .perform(.records(.countAll), within: .seconds(35)))
    }
    var unknown = Script.procedure()
    let newestFirst = (0..<5).map { Script.record($0, day: 20 - $0) }
    _ = unknown.play(Script.start + [Script.count(5), .accepted] + newestFirst + [Script.end()])
    let records = unknown.takeRecords().compactMap(\.glucose)
    #expect(records.map(\.sequenceNumber) == [4, 3, 2, 1, 0])
    #expect(records.allSatisfy { !$0.hasLastingNumber && $0.bookmark == nil })
  }

  /// The numbers that a procedure hands out at its end, and the bookmark that the next read gets.
  private func end(_ procedure: GlucoseProcedure) -> (numbers: [Int], bookmark: MeterBookmark?) {
    var procedure = procedure
    let records = procedure.takeRecords()
    let meter = MeterDescription(identity: Script.identity, services: [.glucose])
    return (records.numbers, MeterReading(meter: meter, records: records).bookmark)
  }

  @Test("after a lost link begins below the gap: a record that came unasked is left to the next read")
  func gapAfterUnasked() {
    var procedure = Script.procedure()
    _ = procedure.play(Self.unasked + [Script.count(9), .accepted, Script.record(6), Script.record(7), .disconnected])
    #expect(procedure.next() == .failed(.disconnected(meter: "Test meter", received: 2)))
    #expect(end(procedure).numbers == [6, 7] && end(procedure).bookmark == Script.bookmark(7))

    var early = Script.procedure()
    _ = early.play([.accepted, Script.record(9), .disconnected])
    #expect(early.next() == .failed(.disconnected(meter: "Test meter", received: 0)))
    #expect(end(early).numbers == [])

    // The same holds while all is read again.
    var again = Script.procedure(bookmark: Script.bookmark(5))
    _ = again.play(
      Script.start + [
        Script.record(5, day: 2), Script.record(6), Script.end(), .accepted, Script.record(0), Script.record(1),
        .disconnected,
      ])
    #expect(end(again).numbers == [0, 1])

    // It does not begin again after the meter broke off.
    var broken = Script.procedure(bookmark: Script.bookmark(5))
    _ = broken.play(Script.start + [Script.record(5), Script.end(8)])
    #expect(broken.next() == .failed(.brokenOff(meter: "Test meter", received: 1)))
  }

  /// The subscriptions, a record that comes unasked after the first of them, and the write of a request.
  private static let unasked: [MeterEvent] = [.accepted, Script.record(9), .accepted, .accepted, .accepted]

  @Test("keeps a record once that came unasked if the transfer is complete, even if the meter does not send it again")
  func unasked() {
    var procedure = Script.procedure()
    _ = procedure.play(Self.unasked + [Script.count(1), .accepted, Script.record(8), Script.end()])
    // The next read begins at the record with the highest number.
    #expect(end(procedure).numbers == [8, 9] && end(procedure).bookmark == Script.bookmark(9))
    #expect(procedure.receivedCount == 2)
    #expect(MeterReading(meter: MeterDescription(identity: Script.identity, services: []), records: []).bookmark == nil)
    // It came with a request that another one replaced, too.
    var twice = Script.procedure(bookmark: Script.bookmark(5))
    _ = twice.play(Self.unasked + [Script.record(9), Script.end(), .accepted, Script.record(8), Script.end()])
    #expect(end(twice).numbers == [8, 9])
  }
}
