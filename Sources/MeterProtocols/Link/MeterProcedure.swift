// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A conversation with a meter as a value: it gives the next step and takes the event that followed. It has no link, no
/// thread and no clock; each timeout is part of a step.
package protocol MeterProcedure: Sendable {
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

  /// The packets that could not be decoded, in the order of arrival.
  var rejected: [RejectedPacket] { get }
  /// The number of records that the meter announced; nil if it did not.
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
  package mutating func takeRecords() -> [MeterRecord] { [] }
  package var rejected: [RejectedPacket] { [] }
  package var announcedCount: Int? { nil }
  package var receivedCount: Int { 0 }
  package var wasReset: Bool { false }
  package var clock: CivilTime? { nil }
}

/// The next action of a procedure.
package enum MeterStep: Hashable, Sendable {
  /// Performs a request; the event is its answer, or `quiet` after this timeout.
  case perform(MeterRequest, within: Duration)
  /// Waits for an event; `quiet` after this timeout.
  case await(within: Duration)
  /// The procedure is complete.
  case finished
  /// The procedure ended without completing. Records that arrived are still valid.
  case failed(MeterError)
}

/// A packet that could not be decoded, kept to be listed with the reason.
package struct RejectedPacket: Hashable, Sendable {
  package let characteristic: MeterCharacteristic
  package let bytes: [UInt8]
  package let reason: PacketError

  package init(_ characteristic: MeterCharacteristic, _ bytes: [UInt8], _ reason: PacketError) {
    self.characteristic = characteristic
    self.bytes = bytes
    self.reason = reason
  }
}
