// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Meters

@Suite("Faults during the record procedure")
struct GlucoseProcedureFaultTests {
  private typealias Script = GlucoseScript
  private static let meter = "Test meter"
  private static let silent = MeterError.silent(meter: meter, received: 0)

  @Test("a link that is lost in the middle loses no record that came, and each further event is ignored")
  func disconnected() {
    var procedure = Script.procedure()
    let events = Script.start + [Script.count(500), .accepted] + (1...250).map { Script.record($0) }
    _ = procedure.play(events)
    #expect(procedure.takeRecords().isEmpty)
    procedure.feed(.disconnected)
    #expect(procedure.next() == .failed(.disconnected(meter: Self.meter, received: 250)))
    #expect(procedure.takeRecords().numbers == Array(1...250))
    for event in [MeterEvent.accepted, .quiet, Script.record(251), Script.end(), .cancelled] { procedure.feed(event) }
    #expect(procedure.next() == .failed(.disconnected(meter: Self.meter, received: 250)))
    #expect(procedure.takeRecords().isEmpty)
  }

  @Test("30 s without anything end the transfer, each record starts them again, and no new request follows")
  func thirtySeconds() {
    var procedure = Script.procedure()
    let steps = procedure.play(
      Script.start + [Script.count(3), .accepted, Script.record(1), Script.record(2), .quiet, Script.record(3)])
    #expect(steps[6...8].allSatisfy { $0 == .await(within: .seconds(30)) })
    #expect(steps.suffix(2).allSatisfy { $0 == .failed(.silent(meter: Self.meter, received: 2)) })
    #expect(procedure.takeRecords().numbers == [1, 2])
  }

  @Test(
    "a refused write or subscription is named by its reason, and none or a malformed answer is an error",
    arguments: [
      ([.quiet], silent), ([.accepted, .accepted, .accepted, .quiet], silent),
      (Script.start + [.quiet], silent),
      (
        Script.start + [.value(.recordAccess, [6, 0, 1])],
        .malformedAnswer(meter: meter, .tooShort(expected: 4, got: 3))
      ),
      (
        Script.start + [.value(.recordAccess, [9, 0, 1, 1, 5])],
        .malformedAnswer(meter: meter, .unexpectedAnswer([9, 0, 1, 1, 5]))
      ),
      (Script.start + [.value(.recordAccess, [])], .malformedAnswer(meter: meter, .tooShort(expected: 1, got: 0))),
      (Script.start + [Script.count(3), .refused(MeterRefusal(attError: 0x05))], .notPaired(meter: meter)),
      (Script.start + [Script.count(3), .refused(MeterRefusal(attError: 0x80))], .busy(meter: meter)),
      (
        Script.start + [Script.count(3), .refused(MeterRefusal(attError: 0x0E))],
        .refused(meter: meter, .records(.reportAll), .other("ATT error 0x0E"))
      ),
      ([.refused(.absent)], .refused(meter: meter, .subscribe(.glucoseMeasurement), .absent)),
      ([.accepted, .accepted, .refused(.absent)], .refused(meter: meter, .subscribe(.recordAccess), .absent)),
    ] as [([MeterEvent], MeterError)])
  func refused(events: [MeterEvent], error: MeterError) {
    var procedure = Script.procedure()
    #expect(procedure.play(events).last == .failed(error))
  }

  @Test("a meter that wants its notifications enabled first is subscribed to again, once")
  func notSubscribed() {
    var procedure = Script.procedure()
    let refusal = MeterEvent.refused(MeterRefusal(attError: 0x81))
    let steps = procedure.play(
      [.accepted, .accepted, .accepted, refusal, .accepted, .accepted, .accepted, .accepted, Script.count(0), refusal])
    #expect(steps[4] == .perform(.subscribe(.glucoseMeasurement), within: .seconds(35)))
    #expect(steps[7] == .perform(.records(.countAll), within: .seconds(35)))
    #expect(steps.last == .failed(.refused(meter: Self.meter, .records(.reportAll), .notSubscribed)))
  }

  @Test("a refused count changes nothing, whether the write or its answer refuses it")
  func refusedCount() {
    let report = MeterStep.perform(.records(.reportAll), within: .seconds(35))
    for refusal in [
      [MeterEvent.refused(.notPermitted)], [.refused(.other("ATT error 0x0E"))], [.accepted, Script.end(2, of: 4)],
      [.accepted, Script.end(3, of: 4)],
    ] {
      var procedure = Script.procedure()
      let steps = procedure.play(
        [.accepted, .accepted, .accepted] + refusal + [.accepted, Script.record(1), Script.end()])
      #expect(steps.contains(report))
      #expect(steps.last == .finished)
      #expect(procedure.announcedCount == nil)
    }
  }

  @Test(
    "each code of the answer ends the request for all records in its own way",
    arguments: [
      (1, nil), (6, nil), (2, .recordsRefused(meter: meter, .opCodeNotSupported)),
      (8, .brokenOff(meter: meter, received: 2)),
      (77, .recordsRefused(meter: meter, RecordAccessCode(rawValue: 77))),
    ] as [(UInt8, MeterError?)])
  func codes(code: UInt8, error: MeterError?) {
    var procedure = Script.procedure()
    _ = procedure.play(
      Script.start + [Script.count(2), .accepted, Script.record(1), Script.record(2), Script.end(code)])
    #expect(procedure.next() == error.map(MeterStep.failed) ?? .finished)
    #expect(procedure.takeRecords().numbers == [1, 2])
  }

  @Test("an answer to another request is passed over, and a meter that sends without end is stopped")
  func otherAnswer() {
    var procedure = Script.procedure()
    let steps = procedure.play(
      Script.start + [
        Script.count(1), .accepted, Script.count(1), Script.end(1, of: 4), Script.record(1), Script.end(),
      ])
    #expect(steps.suffix(4) == [MeterStep](repeating: .await(within: .seconds(30)), count: 3) + [.finished])
    var endless = Script.procedure()
    _ = endless.play(Script.start + [Script.count(1), .accepted])
    for _ in 0..<20_000 { endless.feed(Script.record(1)) }
    #expect(endless.next() == .await(within: .seconds(30)))
    endless.feed(Script.end(1, of: 4))
    #expect(endless.next() == .failed(.tooManyPackets(meter: Self.meter)))
    #expect(endless.takeRecords().numbers == [1])
  }

  // MARK: Cancelling

  @Test("a cancelled transfer is aborted, and the records that were under way are kept; else nothing is sent")
  func cancelled() {
    var procedure = Script.procedure()
    let steps = procedure.play(
      Script.start + [
        Script.count(9), .accepted, Script.record(1), .cancelled, .accepted, Script.record(2), Script.end(1, of: 3),
      ])
    #expect(
      steps.suffix(4) == [
        .perform(.records(.abort), within: .seconds(2)), .await(within: .seconds(2)), .await(within: .seconds(2)),
        .failed(.cancelled(meter: Self.meter, received: 2)),
      ])
    #expect(procedure.takeRecords().numbers == [1, 2])
    var early = Script.procedure()
    #expect(early.play([.accepted, .cancelled]).last == .failed(.cancelled(meter: Self.meter, received: 0)))
    var late = Script.procedure()
    _ = late.play(Script.start + [Script.count(1), .accepted, Script.record(1), Script.end(), .cancelled])
    #expect(late.next() == .finished)
  }

  @Test(
    "an abort that is refused, unanswered or cancelled again ends all the same",
    arguments: [
      [MeterEvent.refused(.busy)], [.quiet], [.disconnected], [.cancelled], [.accepted, .quiet],
      [.accepted, GlucoseScript.end(7, of: 3)],
    ])
  func abortFails(answer: [MeterEvent]) {
    var procedure = Script.procedure()
    _ = procedure.play(Script.start + [Script.count(9), .accepted, Script.record(1), .cancelled] + answer)
    let expected: MeterError =
      answer == [.disconnected]
      ? .disconnected(meter: Self.meter, received: 1) : .cancelled(meter: Self.meter, received: 1)
    #expect(procedure.next() == .failed(expected))
  }
}
