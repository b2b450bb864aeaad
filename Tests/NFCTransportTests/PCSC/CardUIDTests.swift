// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import NFCTransport

@Suite("The UID returned by a reader")
struct CardUIDTests {
  @Test(
    "both byte orders give the same UID",
    arguments: [
      ("E0 07 A0 00 00 25 90 5E 90 00", "E007A0000025905E"), ("5E 90 25 00 00 A0 07 E0 90 00", "E007A0000025905E"),
      // NFCTransport/ReaderDialects, "UID": an OMNIKEY 5321 with a tag of another maker.
      ("EE 74 0E 00 FB FF 12 E0 90 00", "E012FFFB000E74EE"),
      ("E0 7A 00 11 22 33 44 55 90 00", "E07A001122334455"),
      // E0 at both ends: only one end has a manufacturer of sensors next to it.
      ("E0 07 A0 00 00 25 90 E0 90 00", "E007A000002590E0"), ("E0 90 25 00 00 A0 07 E0 90 00", "E007A000002590E0"),
      ("E0 12 00 00 00 00 7A E0 90 00", "E07A0000000012E0"),
    ])
  func orders(answer: String, uid: String) {
    #expect(CardUID(bytes(answer))?.sensor?.description == uid)
  }

  @Test(
    "with E0 at both ends the UID is ambiguous unless exactly one end has a sensor manufacturer",
    arguments: ["E0 12 00 00 00 00 13 E0 90 00", "E0 07 00 00 00 00 7A E0 90 00", "E0 07 00 00 00 00 07 E0 90 00"])
  func ambiguous(answer: String) {
    let uid = CardUID(bytes(answer))
    #expect(uid != nil)
    #expect(uid?.sensor == nil)
  }

  @Test(
    "any other UID is not an ISO 15693 tag's",
    arguments: [
      "", "90", "90 00", "6A 81", "63 00", "04 A1 B2 C3 D4 E5 F6 90 00", "04 A1 B2 C3 90 00",
      "07 A0 00 00 25 90 5E 01 90 00", "E0 07 A0 00 00 25 90 5E", "E0 07 A0 00 00 25 90 5E 63 00",
      "E0 07 A0 00 00 25 90 5E 00 90 00", "00 E0 07 A0 00 00 25 90 5E 90 00",
    ])
  func otherCards(answer: String) {
    #expect(CardUID(bytes(answer)) == nil)
  }
}
