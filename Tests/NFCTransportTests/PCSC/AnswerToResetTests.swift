// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import NFCTransport

@Suite("Answers to reset")
struct AnswerToResetTests {
  @Test(
    "a reader's description of an ISO 15693 tag is recognised with any chip name",
    arguments: [
      "3B8F8001804F0CA0000003060B00120000000071", "3B8F8001804F0CA0000003060B00000000000063",
      "3B8F8001804F0CA0000003060B00140000000077", "3B8F8001804F0CA000000306090000000000FFFF",
      "3B8F8001804F0CA0000003060A0012000000007000", "3B8F8001804F0CA0000003060C00350000000000",
      // Truncated after the standard.
      "A0000003060B",
    ])
  func tag(atr: String) {
    #expect(AnswerToReset(bytes(atr)).verdict == .iso15693)
  }

  @Test("storage cards of other standards are rejected as another kind")
  func otherStandards() {
    for standard in UInt8.min...UInt8.max {
      let atr = bytes("3B8F8001804F0CA000000306") + [standard] + bytes("0001000000006A")
      #expect(AnswerToReset(atr).verdict == ([9, 10, 11, 12].contains(standard) ? .iso15693 : .otherCard))
    }
  }

  @Test(
    "without the PC/SC workgroup's identifier the UID decides",
    arguments: [
      "", "3B", "3B8F8001804F0CA000000306", "3B8880010073C84013009000F1", "3B6800000073C84013009000", "A0000003",
      "3B8F8001804F0CA0000003070B001200000000",
    ])
  func undecided(atr: String) {
    #expect(AnswerToReset(bytes(atr)).verdict == .undecided)
  }
}
