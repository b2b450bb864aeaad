// SPDX-License-Identifier: Apache-2.0
import CGMModel

extension MeterError {
  package var explanation: (code: String, message: String) {
    switch self {
    case .notAMeter(let meter):
      ("not_a_meter", "\(meter) is neither a glucose meter nor a blood-pressure monitor that libre can read")
    case .notPaired(let meter):
      (
        "meter_not_paired",
        "\(meter) hands out its records to paired devices only, and is not paired with this computer"
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
      ("meter_silent", "\(meter) stopped sending after \(Self.records(received)); they are kept")
    case .disconnected(let meter, 0): ("meter_disconnected", "\(meter) ended the connection before it sent a record")
    case .disconnected(let meter, let received):
      ("meter_disconnected", "the connection to \(meter) was lost after \(Self.records(received)); they are kept")
    case .brokenOff(let meter, let received):
      ("meter_broke_off", "\(meter) broke off the transfer after \(Self.records(received)); they are kept")
    case .malformedAnswer(let meter, let error):
      ("meter_malformed_answer", "\(meter) sent an answer that cannot be decoded: \(error.message)")
    case .tooManyPackets(let meter):
      (
        "meter_too_many_packets",
        "\(meter) sent more than \(MeterTiming.maximumPackets) packets, more than a meter can store; the records are kept"
      )
    case .cancelled(let meter, let received):
      ("cancelled", "the transfer from \(meter) was cancelled after \(Self.records(received)); they are kept")
    }
  }

  private static func records(_ count: Int) -> String { count == 1 ? "1 record" : "\(count) records" }
}

extension MeterRefusal {
  /// The reason in words.
  package var text: String {
    switch self {
    case .absent: "the meter does not have this characteristic"
    case .notPaired: "it is not paired"
    case .notPermitted: "not permitted"
    case .busy: "the meter is busy"
    case .notSubscribed: "its notifications are not enabled"
    case .other(let text): text
    }
  }
}

extension OneTouchAnswer.Refusal {
  /// The reason in words.
  package var text: String {
    switch self {
    case .notAllowed: "not allowed"
    case .notSupported: "not supported"
    case .notUnderstood: "not understood"
    case .unknown(let code): "unknown answer 0x" + HexText.string(of: code)
    }
  }
}

extension MeterRequest {
  /// The request in words, behind "refused to".
  var text: String {
    switch self {
    case .read(let characteristic): "report its \(characteristic.text)"
    case .subscribe(let characteristic): "notify of its \(characteristic.text)"
    case .records: "take the request for records"
    case .oneTouch: "take a command"
    }
  }
}

extension MeterCharacteristic {
  /// The name in words.
  var text: String {
    switch self {
    case .glucoseMeasurement: "glucose records"
    case .glucoseContext: "notes on records"
    case .glucoseFeature, .bloodPressureFeature: "abilities"
    case .recordAccess: "answers to requests for records"
    case .dateTime, .currentTime: "time"
    case .bloodPressureMeasurement: "blood pressure measurements"
    case .maker: "maker"
    case .modelNumber: "model"
    case .serialNumber: "serial number"
    case .firmware: "firmware version"
    case .battery: "battery level"
    case .oneTouchCommand: "command channel"
    case .oneTouchAnswer: "answers"
    }
  }
}
