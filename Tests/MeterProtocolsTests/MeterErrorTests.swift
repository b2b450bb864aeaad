// SPDX-License-Identifier: Apache-2.0
import CGMModel
import MeterProtocols
import Testing

@Suite("Errors of a transfer")
struct MeterErrorTests {
  private static let meter = "Contour1"
  private static let pairAgain =
    "remove this computer from the meter's list of paired devices, then libre meter forget 'Contour1' and libre meter pair "
    + "'Contour1'"

  private static let texts: [(error: MeterError, status: Int32, message: String, resolution: String)] = [
    (
      .notAMeter("Lamp"), 69, "Lamp is neither a glucose meter nor a blood-pressure monitor that libre can read",
      "libre meters --supported lists the meters that can be read, libre meters --scan 30 those that are near"
    ),
    (
      .notPaired(meter: meter), 77,
      "Contour1 hands out its records to paired devices only, and is not paired with this computer", pairAgain
    ),
    (
      .busy(meter: meter), 69, "Contour1 is still busy with another transfer",
      "close the maker's app on the phone, switch the meter off and on, then read it again"
    ),
    (
      .refused(meter: meter, .subscribe(.glucoseMeasurement), .notPermitted), 69,
      "Contour1 refused to notify of its glucose records: not permitted",
      "switch the meter off and on and read it again; if it is refused again, libre meter forget 'Contour1' and libre "
        + "meter pair 'Contour1'"
    ),
    (
      .recordsRefused(meter: meter, .operatorNotSupported), 65,
      "Contour1 did not hand out its records: operator not supported",
      "update the meter's firmware with the maker's app; until then, import the app's export with libre import FILE"
    ),
    (
      .commandRefused(meter: meter, .notAllowed), 77,
      "Contour1 does not allow its records to be read; the pairing is incomplete", pairAgain
    ),
    (
      .commandRefused(meter: meter, .unknown(0x42)), 65, "Contour1 refused a command: unknown answer 0x42",
      "this model may use another protocol; import the export of the maker's app with libre import FILE"
    ),
    (
      .silent(meter: meter, received: 0), 69, "Contour1 is connected but does not answer",
      "switch the meter off and on, keep it within two metres, then read it again"
    ),
    (
      .silent(meter: meter, received: 250), 69, "Contour1 stopped sending after 250 records; they are kept",
      "switch the meter off and on, then read it again; known records are not stored twice"
    ),
    (
      .disconnected(meter: meter, received: 0), 69, "Contour1 ended the connection before it sent a record",
      "switch the meter on, keep it within two metres and read it again; if it ends the connection again, libre meter "
        + "forget 'Contour1' and libre meter pair 'Contour1'"
    ),
    (
      .disconnected(meter: meter, received: 1), 69, "the connection to Contour1 was lost after 1 record; they are kept",
      "keep the meter within two metres and read it again; known records are not stored twice"
    ),
    (
      .brokenOff(meter: meter, received: 3), 69, "Contour1 broke off the transfer after 3 records; they are kept",
      "read it again without pressing a key or inserting a strip during the transfer"
    ),
    (
      .malformedAnswer(meter: meter, .tooShort(expected: 4, got: 3)), 65,
      "Contour1 sent an answer that cannot be decoded: the packet is too short: expected at least 4 bytes, got 3",
      "read it again; if the error stays, report it with the output of libre meter read -v"
    ),
    (
      .tooManyPackets(meter: meter), 65,
      "Contour1 sent more than 20000 packets, more than a meter can store; the records are kept",
      "switch the meter off and on, then read it again; if the error stays, report it"
    ),
    (
      .cancelled(meter: meter, received: 0), 130,
      "the transfer from Contour1 was cancelled after 0 records; they are kept",
      "read it again; known records are not stored twice"
    ),
  ]

  @Test("say what happened to which meter, and the way out that works then", arguments: 0..<texts.count)
  func text(place: Int) {
    let expected = Self.texts[place]
    #expect(expected.error.message == expected.message)
    #expect(expected.error.resolution == expected.resolution)
    #expect(expected.error.exitStatus == expected.status)
  }
}
