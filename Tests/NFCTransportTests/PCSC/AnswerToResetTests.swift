// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import NFCTransport

@Suite("Answers to reset")
struct AnswerToResetTests {
  @Test(
    "an ISO 15693 tag is recognised with any chip name; without the workgroup's identifier the UID decides",
    arguments: [
      ("3B8F8001804F0CA0000003060B00120000000071", .iso15693), ("3B8F8001804F0CA0000003060B00000000000063", .iso15693),
      ("3B8F8001804F0CA0000003060B00140000000077", .iso15693), ("3B8F8001804F0CA000000306090000000000FFFF", .iso15693),
      ("3B8F8001804F0CA0000003060A0012000000007000", .iso15693),
      ("3B8F8001804F0CA0000003060C00350000000000", .iso15693),
      // Truncated after the standard.
      ("A0000003060B", .iso15693), ("", .undecided), ("3B", .undecided), ("3B8F8001804F0CA000000306", .undecided),
      ("3B8880010073C84013009000F1", .undecided), ("3B6800000073C84013009000", .undecided), ("A0000003", .undecided),
      ("3B8F8001804F0CA0000003070B001200000000", .undecided),
    ] as [(String, AnswerToReset.Verdict)])
  func tag(atr: String, verdict: AnswerToReset.Verdict) {
    #expect(AnswerToReset(bytes(atr)).verdict == verdict)
  }

  @Test("storage cards of other standards are rejected as another kind")
  func otherStandards() {
    for standard in UInt8.min...UInt8.max {
      let atr = bytes("3B8F8001804F0CA000000306") + [standard] + bytes("0001000000006A")
      #expect(AnswerToReset(atr).verdict == ([9, 10, 11, 12].contains(standard) ? .iso15693 : .otherCard))
    }
  }
}

@Suite("The UID returned by a reader")
struct CardUIDTests {
  @Test(
    "both byte orders give the same UID; with E0 at both ends one end must have a manufacturer of sensors next to it",
    arguments: [
      ("E0 07 A0 00 00 25 90 5E 90 00", "E007A0000025905E"), ("5E 90 25 00 00 A0 07 E0 90 00", "E007A0000025905E"),
      // NFCTransport/ReaderDialects, "UID": an OMNIKEY 5321 with a tag of another maker.
      ("EE 74 0E 00 FB FF 12 E0 90 00", "E012FFFB000E74EE"), ("E0 7A 00 11 22 33 44 55 90 00", "E07A001122334455"),
      ("E0 07 A0 00 00 25 90 E0 90 00", "E007A000002590E0"), ("E0 90 25 00 00 A0 07 E0 90 00", "E007A000002590E0"),
      ("E0 12 00 00 00 00 7A E0 90 00", "E07A0000000012E0"), ("E0 12 00 00 00 00 13 E0 90 00", nil),
      ("E0 07 00 00 00 00 7A E0 90 00", nil), ("E0 07 00 00 00 00 07 E0 90 00", nil),
    ] as [(String, String?)])
  func orders(answer: String, uid: String?) throws {
    #expect(try #require(CardUID(bytes(answer))).sensor?.description == uid)
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
