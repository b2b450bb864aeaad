// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import NFCTransport

/// The trace of a real ACR1552U and an ICODE tag (read: NXP community, thread 2093136).
@Suite("Transparent session")
struct TransparentSessionTests {
  let session = TransparentSession()

  func outcome(_ answer: String, to request: ISO15693.Request = .readBlock(0)) throws -> DialectOutcome {
    session.outcome(of: try #require(ResponseAPDU(bytes(answer))), to: request)
  }

  @Test("a session is opened and closed as in the trace, and frames are sent with a time limit of 200 ms")
  func commands() {
    #expect(session.opening == [bytes("FF C2 00 00 02 81 00 00"), bytes("FF C2 00 02 04 8F 02 02 03")])
    #expect(session.closing == [bytes("FF C2 00 00 02 82 00 00")])
    for (request, length, frame) in [
      (Wire.three, "0D", "95 04 02 23 03 02"), (.readBlock(9), "0C", "95 03 02 20 09"),
      (.patchInfo(.texasInstruments), "0C", "95 03 02 A1 07"), (.systemInformation, "0B", "95 02 02 2B"),
      (.inventory, "0C", "95 03 26 01 00"),
    ] {
      #expect(session.command(for: request) == bytes("FF C2 00 01 \(length) 5F 46 04 40 0D 03 00 \(frame) 00"))
    }
  }

  @Test(
    "the reader's success is in its data object, not in the status word",
    arguments: [
      ("C0 03 00 90 00 90 00", true), ("C0 03 00 90 00 8F 01 00 90 00", true), ("C0 03 00 62 82 90 00", true),
      ("C0 03 01 6A 81 90 00", false), ("C0 03 01 63 00 90 00", false), ("90 00", false), ("C0 02 00 90 00", false),
      ("C0 03 00 90 00 6A 81", false), ("6D 00", false), ("81 00 90 00", false),
    ])
  func opening(answer: String, isOpened: Bool) throws {
    #expect(session.isOpened(by: try #require(ResponseAPDU(bytes(answer)))) == isOpened)
  }

  @Test("the tag's answers in the trace are parsed")
  func answers() throws {
    let information = "C0 03 00 90 00 92 01 00 96 02 00 00 97 0F 00 0F 3C 5D 4E 6F 50 01 04 E0 00 00 1B 03 01 90 00"
    let frame = bytes("00 0F 3C 5D 4E 6F 50 01 04 E0 00 00 1B 03 01")
    #expect(try outcome(information, to: .systemInformation) == .answer(frame))
    let block = "C0 03 00 90 00 92 01 00 96 02 00 00 97 06 00 00 00 11 22 33 90 00"
    #expect(try outcome(block) == .answer(bytes("00 00 00 11 22 33")))
    #expect(try outcome("C0 03 00 90 00 97 02 01 10 90 00") == .answer([0x01, 0x10]))
    #expect(try outcome("C0 03 00 90 00 92 01 00 96 02 00 00 97 81 02 01 0F 90 00") == .answer([0x01, 0x0F]))
  }

  @Test(
    "silence and a garbled answer are distinguished from errors of the reader",
    arguments: [
      ("C0 03 01 64 01 90 00", .silence),  // the trace
      ("C0 03 02 64 01 92 01 00 96 02 00 00 90 00", .silence),
      ("C0 03 00 90 00 92 01 00 96 02 01 00 97 02 00 11 90 00", .silence),  // CRC
      ("C0 03 00 90 00 96 02 08 00 97 02 00 11 90 00", .silence),  // framing
      ("C0 03 00 90 00 92 01 05 96 02 00 00 97 02 00 11 90 00", .silence),  // five bits of the last byte
      ("64 01", .silence),
      ("C0 03 01 6A 81 90 00", .unknownCommand), ("C0 03 02 67 00 90 00", .unknownCommand),
      ("C0 03 02 6A 80 90 00", .unknownCommand), ("6D 00", .unknownCommand), ("6A 81", .unknownCommand),
      ("C0 03 02 64 00 90 00", .failure), ("C0 03 02 6F 00 90 00", .failure), ("C0 03 02 63 01 90 00", .failure),
      ("C0 03 00 90 00 90 00", .failure), ("C0 03 00 90 00 97 00 90 00", .failure),  // success, but no data
      ("97 02 01 0F 90 00", .failure), ("90 00", .failure),  // no result given
      ("C0 03 00 90 00 97 02 01 0F 97 02 01 0F 90 00", .malformed(length: 13)),  // two answers
      ("C0 03 00 90 00 97 7F 00 90 00", .malformed(length: 8)), ("AB CD 90 00", .malformed(length: 2)),
    ] as [(String, DialectOutcome)])
  func troubles(answer: String, expected: DialectOutcome) throws {
    #expect(try outcome(answer) == expected)
  }

  @Test("a damaged answer is never accepted as a longer or shorter one of the tag")
  func prefixes() throws {
    let whole = bytes("C0 03 00 90 00 92 01 00 96 02 00 00 97 09 00 11 22 33 44 55 66 77 88 90 00")
    #expect(session.outcome(of: try #require(ResponseAPDU(whole)), to: .readBlock(0)) == .answer(Array(whole[14..<23])))
    for count in 2..<whole.count - 2 {
      for status: [UInt8] in [[0x90, 0x00], []] {
        let answer = try #require(ResponseAPDU(whole.prefix(count) + status))
        if case .answer(let frame) = session.outcome(of: answer, to: .readBlock(0)) {
          Issue.record("\(count): \(frame)")
        }
      }
    }
  }
}

@Suite("Data objects")
struct DataObjectTests {
  @Test("tags have one or two bytes, lengths one to three")
  func forms() {
    let long = [UInt8](repeating: 7, count: 300)
    #expect(
      DataObject.list(bytes("C0 03 00 90 00  5F 46 04 40 0D 03 00  97 81 02 01 0F  96 00"))
        == [
          DataObject(tag: 0xC0, value: [0, 0x90, 0]), DataObject(tag: 0x5F46, value: [0x40, 0x0D, 3, 0]),
          DataObject(tag: 0x97, value: [1, 0x0F]), DataObject(tag: 0x96, value: []),
        ])
    #expect(
      DataObject.list(bytes("97 81 C8") + long.prefix(200)) == [DataObject(tag: 0x97, value: .init(long.prefix(200)))])
    #expect(DataObject.list(bytes("97 82 01 2C") + long) == [DataObject(tag: 0x97, value: long)])
    #expect(DataObject.list([]) == [])
    // Data with an incomplete object is not a list.
    for text in [
      "97", "97 01", "97 02 00", "5F", "5F 46", "97 81", "97 82 00", "97 80 00 00", "97 83 00 00 01 00", "97 FF",
    ] {
      #expect(DataObject.list(bytes(text)) == nil)
    }
  }
}
