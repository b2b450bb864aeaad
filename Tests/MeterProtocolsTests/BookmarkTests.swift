// SPDX-License-Identifier: Apache-2.0
import CGMModel
import MeterProtocols
import Testing

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

  @Test("notices a reset by a last record that came back changed, and reads all")
  func changed() {
    var procedure = Script.procedure(bookmark: Script.bookmark(5))
    let other = Script.record(5, milligrams: 140, day: 2)
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

  @Test("begins at the record with the highest number")
  func ofReading() throws {
    var procedure = Script.procedure()
    _ = procedure.play(Script.start + [Script.count(2), .accepted, Script.record(8), Script.record(7), Script.end()])
    let meter = MeterDescription(identity: Script.identity, services: [.glucose])
    let reading = MeterReading(meter: meter, records: procedure.takeRecords())
    #expect(reading.bookmark == Script.bookmark(8))
    #expect(MeterReading(meter: meter, records: []).bookmark == nil)
  }
}
