// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Reason why a transfer from a connected meter is incomplete. The records that arrived before are kept.
///
/// `meter` is the name that the user knows, or the address.
package enum MeterError: ExplainedError {
  /// The device has none of the services by which meters are recognised.
  case notAMeter(String)
  /// The meter hands out records to paired devices only; it or this computer has forgotten the pairing.
  case notPaired(meter: String)
  case busy(meter: String)
  /// The meter refused a request that is necessary.
  case refused(meter: String, MeterRequest, MeterRefusal)
  case recordsRefused(meter: String, RecordAccessCode)
  case commandRefused(meter: String, OneTouchAnswer.Refusal)
  case silent(meter: String, received: Int)
  case disconnected(meter: String, received: Int)
  /// The meter broke off the transfer: a key was pressed, a strip inserted or a measurement started.
  case brokenOff(meter: String, received: Int)
  case malformedAnswer(meter: String, PacketError)
  case tooManyPackets(meter: String)
  /// The user or the program ended the transfer.
  case cancelled(meter: String, received: Int)
}
