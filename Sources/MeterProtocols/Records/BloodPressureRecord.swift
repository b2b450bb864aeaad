// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A measurement of a cuff. Whether its pressures can be used is decided by `BloodPressureVerdict`.
///
/// A cuff does not number its measurements: meter, time, pressures, pulse and user are the identity.
public struct BloodPressureRecord: Hashable, Sendable {
  public let measurement: BloodPressureMeasurement
  /// The measurement as sent: the value of `2A35`.
  public let packet: [UInt8]

  /// Decodes a packet.
  ///
  /// - Throws: `tooShort` if the flags announce more than there is.
  public init(_ packet: [UInt8]) throws(PacketError) {
    measurement = try BloodPressureMeasurement(packet)
    self.packet = packet
  }

  /// The time that the cuff's display showed, to be read in the user's zone; nil if the cuff did not send a whole date.
  public var wallTime: CivilTime? { measurement.date?.civil }
}
