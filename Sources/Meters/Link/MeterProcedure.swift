// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A conversation with a meter as a value: it gives the next step and takes the event that followed. It has no link, no
/// thread and no clock; each timeout is part of a step.
protocol MeterProcedure: Sendable {
  /// The next step; unchanged until an event is fed.
  func next() -> MeterStep

  /// Processes the event that followed a step. Values are accepted in every state, because a meter may send a record before it
  /// is asked; an event after the end is ignored.
  mutating func feed(_ event: MeterEvent)

  /// The records that are complete and were not taken yet, oldest first. They have to be stored before the link ends:
  /// many cuffs delete what they have sent.
  ///
  /// After a failure no record is missing below the highest number, so that the next read can continue there; records
  /// above a gap are left to the next read.
  mutating func takeRecords() -> [MeterRecord]

  /// Packets in the order of arrival.
  var rejected: [RejectedPacket] { get }
  var announcedCount: Int? { get }
  /// The number of records received so far, for a progress line.
  var receivedCount: Int { get }
  /// True if the meter's numbers do not continue those of the bookmark, so that everything was read again.
  var wasReset: Bool { get }
  /// Time that the meter's clock showed; nil if this procedure does not ask for it, or the meter did not say.
  var clock: CivilTime? { get }
}

/// The members of a procedure that takes no records.
extension MeterProcedure {
  mutating func takeRecords() -> [MeterRecord] { [] }
  var rejected: [RejectedPacket] { [] }
  var announcedCount: Int? { nil }
  var receivedCount: Int { 0 }
  var wasReset: Bool { false }
  var clock: CivilTime? { nil }
}

/// The next action of a procedure.
enum MeterStep: Hashable, Sendable {
  /// Performs a request; the event is its answer, or `quiet` after this timeout.
  case perform(MeterRequest, within: Duration)
  /// Waits for an event; `quiet` after this timeout.
  case await(within: Duration)
  case finished
  /// The procedure ended without completing. Records that arrived are still valid.
  case failed(MeterError)
}

/// A packet that could not be decoded.
package struct RejectedPacket: Hashable, Sendable {
  package let bytes: [UInt8]
  package let reason: PacketError
}

/// All timeouts and limits of transfers.
enum MeterTiming {
  /// Answer to a subscription or a write. The attribute protocol itself allows 30 s; pairing may happen inside.
  static let request = Duration.seconds(35)
  /// Answer to a read of the description.
  static let read = Duration.seconds(10)
  /// Longest pause during a transfer of records (Bluetooth SIG, Glucose Profile 1.0, 4.7.5). After it no new request may be
  /// made on the link.
  static let pause = Duration.seconds(30)
  /// Wait for contexts that were announced but did not come before the end.
  static let lateContext = Duration.seconds(2)
  /// Wait for the end of a transfer that was aborted.
  static let abort = Duration.seconds(2)
  static let firstMeasurement = Duration.seconds(30)
  /// Pause that ends the transfer of a cuff, which sends no end. The maker's app of Beurer waits 4 s, others 2 to 5 s.
  static let cuffQuiet = Duration.seconds(4)
  static let oneTouchAnswer = Duration.seconds(5)
  /// Pause of a OneTouch meter between pairing and the first command.
  static let oneTouchRest = Duration.seconds(1)
  /// Most packets accepted in one transfer: no meter stores 10,000 records, and each may have a context.
  static let maximumPackets = 20_000
}
