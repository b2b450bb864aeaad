// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A conversation with a meter as a value: it gives the next step and takes the event that followed. It has no link, no
/// thread and no clock; each timeout is part of a step.
public protocol MeterProcedure: Sendable {
  /// The next step; unchanged until an event is fed.
  func next() -> MeterStep

  /// Processes the event that followed a step. Values are accepted in every state, because a meter may send a record before it
  /// is asked; an event after the end is ignored.
  mutating func feed(_ event: MeterEvent)

  /// The records that are complete and were not taken yet, oldest first. They have to be stored before the link ends:
  /// many cuffs delete what they have sent.
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
  public mutating func takeRecords() -> [MeterRecord] { [] }
  public var rejected: [RejectedPacket] { [] }
  public var announcedCount: Int? { nil }
  public var receivedCount: Int { 0 }
  public var wasReset: Bool { false }
  public var clock: CivilTime? { nil }
}

/// The next action of a procedure.
public enum MeterStep: Hashable, Sendable {
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
public struct RejectedPacket: Hashable, Sendable {
  public let characteristic: MeterCharacteristic
  public let bytes: [UInt8]
  public let reason: PacketError

  public init(_ characteristic: MeterCharacteristic, _ bytes: [UInt8], _ reason: PacketError) {
    self.characteristic = characteristic
    self.bytes = bytes
    self.reason = reason
  }
}
