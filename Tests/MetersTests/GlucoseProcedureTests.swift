// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Meters

@Suite("The record procedure")
struct GlucoseProcedureTests {
  private typealias Script = GlucoseScript

  @Test("subscribes, asks for the number of records, then for all of them, and ends with the indication")
  func order() {
    var procedure = Script.procedure()
    let steps = procedure.play(
      Script.start + [Script.count(1), .accepted, Script.record(7), Script.end()])
    let limit = Duration.seconds(35)
    #expect(
      steps == [
        .perform(.subscribe(.glucoseMeasurement), within: limit), .perform(.subscribe(.glucoseContext), within: limit),
        .perform(.subscribe(.recordAccess), within: limit), .perform(.records(.countAll), within: limit),
        .await(within: .seconds(30)), .perform(.records(.reportAll), within: limit), .await(within: .seconds(30)),
        .await(within: .seconds(30)), .finished,
      ])
    #expect(procedure.announcedCount == 1)
    #expect(procedure.takeRecords().numbers == [7])
    #expect(procedure.takeRecords().isEmpty)
  }

  @Test("takes 500 records in one transfer, oldest first by number whatever their order")
  func manyRecords() {
    var procedure = Script.procedure()
    let numbers = Array(1_000..<1_500)
    _ = procedure.play(
      Script.start + [Script.count(500), .accepted] + numbers.reversed().map { Script.record($0) } + [Script.end()])
    #expect(procedure.next() == .finished)
    #expect(procedure.announcedCount == 500)
    #expect(procedure.receivedCount == 500)
    #expect(!procedure.wasReset)
    // The clock of these runs forward with the numbers, so that the order of arrival is not believed.
    #expect(procedure.takeRecords().numbers == numbers)
  }

  @Test("lists a record that cannot be decoded with its bytes, and keeps the others")
  func malformedRecord() {
    var procedure = Script.procedure()
    let bad: [UInt8] = [0x02, 2, 0]
    _ = procedure.play(
      Script.start + [
        Script.count(3), .accepted, Script.record(1), .value(.glucoseMeasurement, bad), .value(.glucoseContext, [2]),
        Script.record(3), Script.end(),
      ])
    #expect(procedure.next() == .finished)
    #expect(procedure.takeRecords().numbers == [1, 3])
    #expect(
      procedure.rejected == [
        RejectedPacket(bytes: bad, reason: .tooShort(expected: 10, got: 3)),
        RejectedPacket(bytes: [2], reason: .tooShort(expected: 3, got: 1)),
      ])
  }

  // MARK: Contexts

  @Test("waits for contexts that come after the end, ends with the last one, and matches them by number in any order")
  func contextAfterEnd() {
    var procedure = Script.procedure()
    let steps = procedure.play(
      Script.start + [
        Script.count(2), .accepted, Script.record(1, hasContext: true), Script.record(2, hasContext: true),
        Script.end(), Script.context(2, meal: 2), Script.context(1, meal: 6),
      ])
    #expect(steps.suffix(3) == [.await(within: .seconds(2)), .await(within: .seconds(2)), .finished])
    let records = procedure.takeRecords().compactMap(\.glucose)
    #expect(records.map(\.kind) == [.ketone, .blood] && records.allSatisfy { $0.context != nil })
    // Contexts come before their record and after the next one; a packet that comes twice is kept once.
    var mixed = Script.procedure()
    let events = [
      Script.context(2, meal: 2), Script.record(1, hasContext: true), Script.record(2, hasContext: true),
      Script.context(1), Script.context(77),
    ]
    _ = mixed.play(Script.start + [Script.count(2), .accepted] + events.flatMap { [$0, $0] } + [Script.end()])
    #expect(mixed.next() == .finished)
    #expect(mixed.takeRecords().compactMap { $0.glucose?.context?.meal } == [.before, .after])
  }

  @Test(
    "ends without a context that never comes, and the record says so", arguments: [MeterEvent.quiet, .disconnected])
  func contextNever(last: MeterEvent) throws {
    var procedure = Script.procedure()
    _ = procedure.play(
      Script.start + [Script.count(1), .accepted, Script.record(1, hasContext: true), Script.end(), last])
    #expect(procedure.next() == .finished)
    let record = try #require(procedure.takeRecords().first?.glucose)
    #expect(record.context == nil && record.kind == .blood)
    // Such a record is not taken as glucose if the meter hides ketones.
    var hiding = Script.procedure(name: "CareSens N Premier BLE")
    let rest = MeterEvent.quiet
    _ = hiding.play([
      .accepted, rest, .accepted, rest, .accepted, rest, .accepted, Script.count(2), .accepted,
      Script.record(1, hasContext: true), Script.record(2), Script.end(), last,
    ])
    #expect(hiding.next() == .finished)
    let records = hiding.takeRecords().compactMap(\.glucose)
    #expect(records.map(\.kind) == [.bloodOrKetone, .blood])
    #expect(FingerStickVerdict(try #require(records.first), now: .late) == .unusable(.glucoseOrKetone))
  }

  @Test("does without contexts if the meter lacks them or refuses them", arguments: [true, false])
  func withoutContexts(isListed: Bool) {
    var procedure = Script.procedure(
      characteristics: isListed ? Script.characteristics : [.glucoseMeasurement, .recordAccess])
    let subscriptions: [MeterEvent] = isListed ? [.accepted, .refused(.absent), .accepted] : [.accepted, .accepted]
    let steps = procedure.play(subscriptions + [.accepted, Script.count(1), .accepted, Script.record(1), Script.end()])
    #expect(steps.last == .finished)
    #expect(steps.contains(.perform(.subscribe(.glucoseContext), within: .seconds(35))) == isListed)
  }

  // MARK: Pauses

  @Test("rests where the model needs it")
  func rests() {
    var procedure = Script.procedure(name: "Beurer GL50EVO")
    let steps = procedure.play([.accepted, .quiet, .accepted, .quiet, .accepted, .quiet, Script.record(1), .quiet])
    let rest = MeterStep.await(within: .milliseconds(300))
    let last = MeterStep.await(within: .milliseconds(2_500))
    #expect([steps[1], steps[3], steps[5]] == [rest, rest, rest])
    #expect([steps[6], steps[7]] == [last, last])
    #expect(steps[8] == .perform(.records(.countAll), within: .seconds(35)))
    #expect(procedure.receivedCount == 0)
  }
}
