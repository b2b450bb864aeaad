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
  /// The meter is still busy with another request.
  case busy(meter: String)
  /// The meter refused a request that is necessary.
  case refused(meter: String, MeterRequest, MeterRefusal)
  /// The meter ended the request for records with a code other than success.
  case recordsRefused(meter: String, RecordAccessCode)
  /// A OneTouch meter refused a command.
  case commandRefused(meter: String, OneTouchAnswer.Refusal)
  /// The meter stopped answering before the transfer was complete.
  case silent(meter: String, received: Int)
  /// The link ended before the transfer was complete.
  case disconnected(meter: String, received: Int)
  /// The meter broke off the transfer: a key was pressed, a strip inserted or a measurement started.
  case brokenOff(meter: String, received: Int)
  /// An answer that the transfer depends on cannot be decoded.
  case malformedAnswer(meter: String, PacketError)
  /// More packets than any meter stores.
  case tooManyPackets(meter: String)
  /// The user or the program ended the transfer.
  case cancelled(meter: String, received: Int)
}
