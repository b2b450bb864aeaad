// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import Testing

  @testable import NFCTransport

  @Suite("The PC/SC readers of an address")
  struct PCSCChoiceTests {
    static let picc = "ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader PICC] 00 00"
    static let sam = "ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader SAM] 00 01"
    static let old = "ACS ACR122U PICC Interface 01 00"
    static let unheardOf = "Some Reader 02 00"

    @Test(
      "are those with a matching name, or all, without those known to lack ISO 15693",
      arguments: [
        (nil, [picc, unheardOf]), ("acr1552", [picc]), ("ACS", [picc]), ("some reader", [unheardOf]),
        (unheardOf, [unheardOf]), (picc, [picc]),
      ] as [(String?, [String])])
    func meant(_ part: String?, _ expected: [String]) throws {
      #expect(try PCSCChoice(part: part).readers(of: [Self.old, Self.picc, Self.sam, Self.unheardOf]) == expected)
    }

    @Test("are listed in the error if none is suitable")
    func none() {
      #expect(throws: TransportError.noReader) { try PCSCChoice(part: nil).readers(of: []) }
      #expect(throws: TransportError.noReader) { try PCSCChoice(part: "ACS").readers(of: []) }
      #expect(throws: TransportError.noReaderNamed("HID", present: [Self.old, Self.picc])) {
        try PCSCChoice(part: "HID").readers(of: [Self.old, Self.picc])
      }
      #expect(throws: TransportError.readerLacks15693(name: Self.old)) {
        try PCSCChoice(part: nil).readers(of: [Self.old])
      }
      #expect(throws: TransportError.readerLacks15693(name: Self.old)) {
        try PCSCChoice(part: "acr122").readers(of: [Self.picc, Self.old])
      }
    }
  }
#endif
