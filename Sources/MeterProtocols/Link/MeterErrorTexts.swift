// SPDX-License-Identifier: Apache-2.0
package import CGMModel

extension MeterError {
  package var explanation: ErrorExplanation {
    switch self {
    case .notAMeter(let meter):
      ErrorExplanation(
        "not_a_meter", "\(meter) is neither a glucose meter nor a blood-pressure monitor that libre can read",
        "libre meters --supported lists the meters that can be read, libre meters --scan 30 those that are near")
    case .notPaired(let meter):
      ErrorExplanation(
        "meter_not_paired",
        "\(meter) hands out its records to paired devices only, and is not paired with this computer",
        "remove this computer from the meter's list of paired devices, then libre meter forget '\(meter)' and "
          + "libre meter pair '\(meter)'")
    case .busy(let meter):
      ErrorExplanation(
        "meter_busy", "\(meter) is still busy with another transfer",
        "close the maker's app on the phone, switch the meter off and on, then read it again")
    case .refused(let meter, let request, let refusal):
      ErrorExplanation(
        "meter_refused", "\(meter) refused to \(request.text): \(refusal.text)",
        "switch the meter off and on and read it again; if it is refused again, libre meter forget '\(meter)' and "
          + "libre meter pair '\(meter)'")
    case .recordsRefused(let meter, let code):
      ErrorExplanation(
        "meter_records_refused", "\(meter) did not hand out its records: \(code.text)",
        "update the meter's firmware with the maker's app; until then, import the app's export with libre import FILE")
    case .commandRefused(let meter, .notAllowed):
      ErrorExplanation(
        "meter_not_paired", "\(meter) does not allow its records to be read; the pairing is incomplete",
        "remove this computer from the meter's list of paired devices, then libre meter forget '\(meter)' and "
          + "libre meter pair '\(meter)'")
    case .commandRefused(let meter, let refusal):
      ErrorExplanation(
        "meter_command_refused", "\(meter) refused a command: \(refusal.text)",
        "this model may use another protocol; import the export of the maker's app with libre import FILE")
    case .silent(let meter, 0):
      ErrorExplanation(
        "meter_silent", "\(meter) is connected but does not answer",
        "switch the meter off and on, keep it within two metres, then read it again")
    case .silent(let meter, let received):
      ErrorExplanation(
        "meter_silent", "\(meter) stopped sending after \(Self.records(received)); they are kept",
        "switch the meter off and on, then read it again; known records are not stored twice")
    case .disconnected(let meter, 0):
      ErrorExplanation(
        "meter_disconnected", "\(meter) ended the connection before it sent a record",
        "switch the meter on, keep it within two metres and read it again; if it ends the connection again, "
          + "libre meter forget '\(meter)' and libre meter pair '\(meter)'")
    case .disconnected(let meter, let received):
      ErrorExplanation(
        "meter_disconnected", "the connection to \(meter) was lost after \(Self.records(received)); they are kept",
        "keep the meter within two metres and read it again; known records are not stored twice")
    case .brokenOff(let meter, let received):
      ErrorExplanation(
        "meter_broke_off", "\(meter) broke off the transfer after \(Self.records(received)); they are kept",
        "read it again without pressing a key or inserting a strip during the transfer")
    case .malformedAnswer(let meter, let error):
      ErrorExplanation(
        "meter_malformed_answer", "\(meter) sent an answer that cannot be decoded: \(error.message)",
        "read it again; if the error stays, report it with the output of libre meter read -v")
    case .tooManyPackets(let meter):
      ErrorExplanation(
        "meter_too_many_packets",
        "\(meter) sent more than \(MeterTiming.maximumPackets) packets, more than a meter can store; the records are kept",
        "switch the meter off and on, then read it again; if the error stays, report it")
    case .cancelled(let meter, let received):
      ErrorExplanation(
        "cancelled", "the transfer from \(meter) was cancelled after \(Self.records(received)); they are kept",
        "read it again; known records are not stored twice")
    }
  }

  package var exitStatus: Int32 {
    switch self {
    case .notPaired, .commandRefused(_, .notAllowed): 77
    case .recordsRefused, .commandRefused, .malformedAnswer, .tooManyPackets: 65
    case .notAMeter, .busy, .refused, .silent, .disconnected, .brokenOff: 69
    case .cancelled: 130
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

extension MeterRefusal {
  /// True for a reason that only its words describe.
  var isUnexplained: Bool {
    if case .other = self { true } else { false }
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
