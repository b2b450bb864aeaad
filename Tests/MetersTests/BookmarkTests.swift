// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Meters

@Suite("Continuing from a bookmark")
struct BookmarkTests {
  private typealias Script = GlucoseScript
  private static let all = MeterStep.perform(.records(.reportAll), within: .seconds(35))

  @Test("asks for the last record and the later ones, without counting")
  func inclusive() {
    var procedure = Script.procedure(bookmark: Script.bookmark(248))
    let steps = procedure.play(Script.start + [Script.record(248), Script.record(249), Script.end()])
    #expect(steps[3] == .perform(.records(.report(from: 248)), within: .seconds(35)))
    #expect(RecordAccessRequest.report(from: 248).bytes == [0x01, 0x03, 0x01, 0xF8, 0x00])
    #expect(steps.last == .finished)
    #expect(!procedure.wasReset)
    #expect(procedure.takeRecords().numbers == [248, 249])
  }

  @Test("goes on if the user has set the meter's clock: only the offset of the last record is another")
  func movedClock() {
    var procedure = Script.procedure(bookmark: Script.bookmark(5))
    var packet = Script.packet(5)
    packet[0] |= 1
    packet.insert(contentsOf: [60, 0], at: 10)
    _ = procedure.play(Script.start + [.value(.glucoseMeasurement, packet), Script.end()])
    #expect(procedure.next() == .finished)
    #expect(!procedure.wasReset)
  }

  @Test(
    "notices a reset by a last record that came back with another value or another time, and reads all",
    arguments: [(140, 1), (100, 2)])
  func changed(milligrams: Int, day: Int) {
    var procedure = Script.procedure(bookmark: Script.bookmark(5))
    let other = Script.record(5, milligrams: milligrams, day: day)
    let steps = procedure.play(
      Script.start + [other, Script.end(), .accepted, Script.record(0, day: 2), other, Script.end()])
    #expect(steps.contains(Self.all))
    #expect(steps.last == .finished)
    #expect(procedure.wasReset)
    #expect(procedure.takeRecords().numbers == [0, 5])
  }

  @Test("notices a reset by numbers that are all lower")
  func lower() {
    var procedure = Script.procedure(bookmark: Script.bookmark(300))
    let steps = procedure.play(
      Script.start + [Script.end(6), .accepted, Script.record(0, day: 2), Script.record(1, day: 2), Script.end()])
    #expect(steps[5] == Self.all)
    #expect(procedure.wasReset)
    #expect(procedure.takeRecords().numbers == [0, 1])
  }

  @Test("reads all, without calling it a reset, if the last record was overwritten by later ones")
  func overwritten() {
    var procedure = Script.procedure(bookmark: Script.bookmark(5))
    let later = [Script.record(900), Script.record(901)]
    let steps = procedure.play(Script.start + later + [Script.end(), .accepted] + later + [Script.end()])
    #expect(steps.contains(Self.all))
    #expect(!procedure.wasReset)
    #expect(procedure.takeRecords().numbers == [900, 901])
  }

  @Test("ends without records if the meter was emptied")
  func emptied() {
    var procedure = Script.procedure(bookmark: Script.bookmark(5))
    _ = procedure.play(Script.start + [Script.end(6), .accepted, Script.end(6)])
    #expect(procedure.next() == .finished)
    #expect(!procedure.wasReset)
    #expect(procedure.receivedCount == 0)
  }

  @Test("asks for all records of a meter that cannot select them", arguments: [2, 3, 4, 5, 9] as [UInt8])
  func cannotSelect(code: UInt8) {
    var procedure = Script.procedure(bookmark: Script.bookmark(5))
    let steps = procedure.play(
      Script.start + [Script.end(code), .accepted, Script.record(4), Script.record(5), Script.record(6), Script.end()])
    #expect(steps[5] == Self.all)
    #expect(steps.last == .finished)
    #expect(!procedure.wasReset)
    #expect(procedure.takeRecords().numbers == [4, 5, 6])
  }

  @Test("does not begin again after the meter broke off")
  func brokenOff() {
    var procedure = Script.procedure(bookmark: Script.bookmark(5))
    _ = procedure.play(Script.start + [Script.record(5), Script.end(8)])
    #expect(procedure.next() == .failed(.brokenOff(meter: "Test meter", received: 1)))
  }

  @Test("is not possible with a bookmark that cannot be decoded: all is read")
  func unreadableBookmark() {
    var procedure = Script.procedure(bookmark: MeterBookmark(sequenceNumber: 5, packet: [1, 2]))
    #expect(procedure.play(Script.start)[3] == .perform(.records(.countAll), within: .seconds(35)))
  }

  @Test("is not done for a meter that numbers its records anew, known by its name or by numbers that run backwards")
  func movingNumbers() throws {
    var known = Script.procedure(name: "TNG VOICE", bookmark: Script.bookmark(0))
    #expect(known.play(Script.start)[3] == .perform(.records(.countAll), within: .seconds(35)))

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

  @Test("begins at the record with the highest number")
  func highest() {
    var procedure = Script.procedure()
    _ = procedure.play(Script.start + [Script.count(2), .accepted, Script.record(8), Script.record(7), Script.end()])
    #expect(end(procedure).bookmark == Script.bookmark(8))
    #expect(MeterReading(meter: MeterDescription(identity: Script.identity, services: []), records: []).bookmark == nil)
  }

  @Test("after a lost link begins below the gap: a record that came unasked is left to the next read")
  func gapAfterUnasked() {
    var procedure = Script.procedure()
    _ = procedure.play(
      [.accepted, Script.record(9), .accepted, .accepted, .accepted, Script.count(9), .accepted, Script.record(6)])
    _ = procedure.play([Script.record(7), .disconnected])
    #expect(procedure.next() == .failed(.disconnected(meter: "Test meter", received: 2)))
    #expect(end(procedure).numbers == [6, 7])
    #expect(end(procedure).bookmark == Script.bookmark(7))

    var early = Script.procedure()
    _ = early.play([.accepted, Script.record(9), .disconnected])
    #expect(early.next() == .failed(.disconnected(meter: "Test meter", received: 0)))
    #expect(end(early).numbers == [])
  }

  @Test("after a lost link while all is read again begins below the gap, too")
  func gapAfterReset() {
    var procedure = Script.procedure(bookmark: Script.bookmark(5))
    let changed = Script.record(5, day: 2)
    _ = procedure.play(
      Script.start + [
        changed, Script.record(6), Script.end(), .accepted, Script.record(0), Script.record(1), .disconnected,
      ])
    #expect(end(procedure).numbers == [0, 1])
  }

  @Test("keeps a record that came unasked if the transfer is complete, even if the meter does not send it again")
  func unasked() {
    var procedure = Script.procedure()
    _ = procedure.play(
      [.accepted, Script.record(9), .accepted, .accepted, .accepted, Script.count(1), .accepted, Script.record(8)])
    procedure.feed(Script.end())
    #expect(end(procedure).numbers == [8, 9])
    #expect(procedure.receivedCount == 2)
  }

  @Test("keeps a record once that came unasked and with a request that another one replaced")
  func unaskedTwice() {
    var procedure = Script.procedure(bookmark: Script.bookmark(5))
    _ = procedure.play(
      [.accepted, Script.record(9), .accepted, .accepted, .accepted, Script.record(9), Script.end(), .accepted])
    _ = procedure.play([Script.record(8), Script.end()])
    #expect(end(procedure).numbers == [8, 9])
  }
}
