// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Meters

@Suite("The procedure of a cuff")
struct CuffProcedureTests {
  private static let meter = "Cuff"
  private static let subscribing = MeterStep.perform(.subscribe(.bloodPressureMeasurement), within: .seconds(35))

  private static func procedure(name: String = meter) -> CuffProcedure {
    CuffProcedure(
      MeterDescription(identity: MeterIdentity(address: "AA:BB:CC:DD:EE:FF", name: name), services: [.bloodPressure]))
  }

  private static func measurement(_ systolic: UInt8) -> MeterEvent {
    .value(.bloodPressureMeasurement, [0x00, systolic, 0, 80, 0, 93, 0])
  }

  @Test("subscribes, waits 30 s for the first measurement and 4 s for each further one; quiet ends it")
  func quietEnds() {
    var procedure = Self.procedure()
    let steps = procedure.play([.accepted, Self.measurement(120), Self.measurement(121), .quiet])
    #expect(
      steps == [
        Self.subscribing, .await(within: .seconds(30)), .await(within: .seconds(4)), .await(within: .seconds(4)),
        .finished,
      ])
    #expect(procedure.takeRecords().count == 2)
    // This model needs a rest before the subscription.
    var resting = Self.procedure(name: "BM64")
    #expect(
      resting.play([.quiet, .accepted, .quiet]) == [
        .await(within: .seconds(3)), Self.subscribing, .await(within: .seconds(30)), .finished,
      ])
    var endless = Self.procedure()
    endless.feed(.accepted)
    for _ in 0...20_000 { endless.feed(Self.measurement(120)) }
    #expect(endless.next() == .failed(.tooManyPackets(meter: Self.meter)))
  }

  @Test("hands out each measurement at once, because the cuff may delete it")
  func atOnce() {
    var procedure = Self.procedure()
    _ = procedure.play([.accepted, Self.measurement(120)])
    #expect(procedure.takeRecords().map { $0.bloodPressure?.packet[1] } == [120])
    #expect(procedure.takeRecords().isEmpty)
    procedure.feed(Self.measurement(121))
    #expect(procedure.takeRecords().map { $0.bloodPressure?.packet[1] } == [121])
    #expect(procedure.receivedCount == 2)
  }

  @Test(
    "ends well if the cuff ends the link after a measurement, and if it has nothing new",
    arguments: [[.accepted, measurement(120), .disconnected], [.accepted, .quiet]] as [[MeterEvent]])
  func ends(events: [MeterEvent]) {
    var procedure = Self.procedure()
    #expect(procedure.play(events).last == .finished)
  }

  @Test(
    "ends in an error if the cuff refuses, is silent or goes away before it sent anything",
    arguments: [
      ([.refused(.notPaired)], .notPaired(meter: meter)), ([.refused(.busy)], .busy(meter: meter)),
      ([.refused(.absent)], .refused(meter: meter, .subscribe(.bloodPressureMeasurement), .absent)),
      ([.quiet], .silent(meter: meter, received: 0)), ([.disconnected], .disconnected(meter: meter, received: 0)),
      ([.accepted, .disconnected], .disconnected(meter: meter, received: 0)),
      ([.accepted, .cancelled], .cancelled(meter: meter, received: 0)),
    ] as [([MeterEvent], MeterError)])
  func faults(events: [MeterEvent], error: MeterError) {
    var procedure = Self.procedure()
    #expect(procedure.play(events).last == .failed(error))
    procedure.feed(Self.measurement(120))
    #expect(procedure.takeRecords().isEmpty)
  }

  @Test("keeps what comes while the subscription is under way, a repeated packet once, and lists a broken one")
  func oddities() {
    var procedure = Self.procedure()
    _ = procedure.play([
      Self.measurement(120), .accepted, Self.measurement(120), .value(.bloodPressureMeasurement, [0x02, 1]), .quiet,
    ])
    #expect(procedure.next() == .finished)
    #expect(procedure.receivedCount == 1)
    #expect(procedure.rejected == [RejectedPacket(bytes: [2, 1], reason: .tooShort(expected: 3, got: 2))])
  }
}
