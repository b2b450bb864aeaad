// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A measurement of a cuff. Whether its pressures can be used is decided by `BloodPressureVerdict`.
///
/// A cuff does not number its measurements: meter, time, pressures, pulse and user are the identity.
package struct BloodPressureRecord: Hashable, Sendable {
  package let measurement: BloodPressureMeasurement
  /// The measurement as sent: the value of `2A35`.
  package let packet: [UInt8]

  /// Decodes a packet.
  ///
  /// - Throws: `tooShort` if the flags announce more than there is.
  package init(_ packet: [UInt8]) throws(PacketError) {
    measurement = try BloodPressureMeasurement(packet)
    self.packet = packet
  }

  /// The time that the cuff's display showed, to be read in the user's zone; nil if the cuff did not send a whole date.
  package var wallTime: CivilTime? { measurement.date?.civil }
}
