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
  /// The meter hands out records after a pairing with digits only, and was paired without.
  case passkeyNeeded(meter: String)
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

  /// The error for a request that is necessary and was refused.
  init(_ meter: String, _ request: MeterRequest, _ refusal: MeterRefusal) {
    self =
      switch refusal {
      case .notPaired: .notPaired(meter: meter)
      case .passkeyNeeded: .passkeyNeeded(meter: meter)
      case .busy: .busy(meter: meter)
      case .absent, .notPermitted, .notSubscribed, .other: .refused(meter: meter, request, refusal)
      }
  }

  package var explanation: (code: String, message: String) {
    switch self {
    case .notAMeter(let meter):
      ("not_a_meter", "\(meter) is neither a glucose meter nor a blood-pressure monitor that libre can read")
    case .notPaired(let meter):
      (
        "meter_not_paired",
        "\(meter) hands out its records to paired devices only, and is not paired with this computer"
      )
    case .passkeyNeeded(let meter):
      (
        "passkey_needed",
        "\(meter) is paired without digits and does not send its records: it probably wants a pairing with digits"
      )
    case .busy(let meter): ("meter_busy", "\(meter) is still busy with another transfer")
    case .refused(let meter, let request, let refusal):
      ("meter_refused", "\(meter) refused to \(request.text): \(refusal.text)")
    case .recordsRefused(let meter, let code):
      ("meter_records_refused", "\(meter) did not hand out its records: \(code.text)")
    case .commandRefused(let meter, .notAllowed):
      ("meter_not_paired", "\(meter) does not allow its records to be read; the pairing is incomplete")
    case .commandRefused(let meter, let refusal):
      ("meter_command_refused", "\(meter) refused a command: \(refusal.text)")
    case .silent(let meter, 0): ("meter_silent", "\(meter) is connected but does not answer")
    case .silent(let meter, let received):
      ("meter_silent", "\(meter) stopped sending \(Self.after(received))")
    case .disconnected(let meter, 0): ("meter_disconnected", "\(meter) ended the connection \(Self.after(0))")
    case .disconnected(let meter, let received):
      ("meter_disconnected", "the connection to \(meter) was lost \(Self.after(received))")
    case .brokenOff(let meter, let received):
      ("meter_broke_off", "\(meter) broke off the transfer \(Self.after(received))")
    case .malformedAnswer(let meter, let error):
      ("meter_malformed_answer", "\(meter) sent an answer that cannot be decoded: \(error.message)")
    case .tooManyPackets(let meter):
      (
        "meter_too_many_packets",
        "\(meter) sent more than \(MeterTiming.maximumPackets) packets, more than a meter can store; the records are kept"
      )
    case .cancelled(let meter, let received):
      ("cancelled", "the transfer from \(meter) was cancelled \(Self.after(received))")
    }
  }

  private static func after(_ records: Int) -> String {
    switch records {
    case 0: "before it sent a record"
    case 1: "after 1 record, which is kept"
    default: "after \(records) records, which are kept"
    }
  }
}
