// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import NFCTransport

/// Tests commands and answers shown in NFCTransport/ReaderDialects; the transparent session has its own suite.
@Suite("Reader dialects")
struct ReaderDialectTests {
  static let others: [any ReaderDialect] = [
    ACSPassThrough(), SpringCardEncapsulate(), SpringCardMemoryControl(), IdentivPassThrough(), ReadBinary(length: 0),
    ReadBinary(length: 8),
  ]

  /// For `Wire.requests`: block 2A, blocks 3 to 5, system information, patch info, block 0100, blocks 0100 to 0102,
  /// inventory.
  @Test(
    "requests are wrapped as the manufacturers document",
    arguments: zip(
      others.indices,
      [
        [
          "FF FB 00 00 02 20 2A 00", "FF FB 00 00 03 23 03 02 00", "FF FB 00 00 01 2B 00", "FF FB 00 00 02 A1 07 00",
          "FF FB 00 00 04 B0 07 00 01 00", "FF FB 00 00 05 B3 07 00 01 02 00", nil,
        ],
        [
          "FF FE 04 00 03 02 20 2A 00", "FF FE 04 00 04 02 23 03 02 00", "FF FE 04 00 02 02 2B 00",
          "FF FE 04 00 03 02 A1 07 00", "FF FE 04 00 05 02 B0 07 00 01 00", "FF FE 04 00 06 02 B3 07 00 01 02 00",
          "FF FE 04 00 03 26 01 00 00",
        ],
        ["FF F6 20 00 01 2A 00", "FF F6 23 00 02 03 03 00", "FF F6 2B 00 00", nil, nil, nil, nil],
        [
          "FF FC 00 00 02 20 2A 00", "FF FC 00 00 03 23 03 02 00", "FF FC 00 00 01 2B 00", "FF FD 05 00 03 02 A1 07 00",
          "FF FD 05 00 05 02 B0 07 00 01 00", "FF FD 05 00 06 02 B3 07 00 01 02 00", nil,
        ],
        ["FF B0 00 2A 00", nil, nil, nil, nil, nil, nil], ["FF B0 00 2A 08", nil, nil, nil, nil, nil, nil],
      ] as [[String?]]))
  func commands(dialect: Int, expected: [String?]) {
    #expect(Wire.requests.map { Self.others[dialect].command(for: $0) } == expected.map { $0.map(bytes) })
  }

  @Test("no dialect has a command that does anything but read")
  func readsOnly() {
    for request in ISO15693.Request.all {
      for dialect in CardConversation.dialects {
        guard let command = dialect.command(for: request) else { continue }
        // Position of the ISO 15693 command, if it is not in the header.
        let place: Int? =
          switch Array(command.prefix(2)) {
          case [0xFF, 0xC2]: 15
          case [0xFF, 0xFB], [0xFF, 0xFC]: 5
          case [0xFF, 0xFE], [0xFF, 0xFD]: 6
          case [0xFF, 0xF6]: 2
          case [0xFF, 0xB0]: nil
          default: -1
          }
        #expect(place != -1)
        if let place { #expect([0x01, 0x20, 0x23, 0x2B, 0xA1, 0xB0, 0xB3].contains(command[place]), "\(command)") }
      }
    }
  }

  @Test("the tag's data is accepted with and without response flags", arguments: others.indices)
  func flags(dialect: Int) throws {
    for request in Wire.requests where Self.others[dialect].command(for: request) != nil {
      let frame = bytes(Wire.frame(request))
      for data in [frame, Array(frame.dropFirst())] {
        let answer = try #require(ResponseAPDU(data + [0x90, 0x00]))
        #expect(Self.others[dialect].outcome(of: answer, to: request) == .answer(frame))
      }
      let refusal = try #require(ResponseAPDU(bytes("01 0F 90 00")))
      #expect(Self.others[dialect].outcome(of: refusal, to: request) == .answer([0x01, 0x0F]))
    }
  }

  @Test(
    "status words mean the same in every dialect",
    arguments: [
      ("64 01", .silence), ("67 00", .unknownCommand), ("69 81", .unknownCommand), ("6A 80", .unknownCommand),
      ("6A 81", .unknownCommand), ("6A 86", .unknownCommand), ("6B 00", .unknownCommand), ("6C 08", .unknownCommand),
      ("6D 00", .unknownCommand), ("6E 00", .unknownCommand), ("63 00", .failure), ("6A 82", .failure),
      ("63 01", .failure),
      ("64 00", .failure), ("65 81", .failure), ("6F 00", .failure), ("91 00", .failure), ("00 00", .failure),
    ] as [(String, DialectOutcome)])
  func statusWords(status: String, expected: DialectOutcome) throws {
    for dialect in CardConversation.dialects {
      for request in Wire.requests {
        // Data before a bad status word is not used.
        for data in ["", Wire.frame(request)] {
          let answer = try #require(ResponseAPDU(bytes(data + status)))
          #expect(dialect.outcome(of: answer, to: request) == expected)
        }
      }
    }
  }

  @Test(
    "SpringCard's codes report the result on air",
    arguments: [
      ("6F 01", .silence), ("6F 21", .answer([0x01, 0x01])), ("6F 16", .answer([0x01, 0x10])),
      ("6F 06", .answer([0x01, 0x0F])), ("6F 19", .failure),
    ] as [(String, DialectOutcome)])
  func springCard(status: String, expected: DialectOutcome) throws {
    let answer = try #require(ResponseAPDU(bytes(status)))
    #expect(SpringCardEncapsulate().outcome(of: answer, to: .readBlock(0)) == expected)
    #expect(SpringCardMemoryControl().outcome(of: answer, to: .readBlock(0)) == expected)
    #expect(
      ACSPassThrough().outcome(of: answer, to: .readBlock(0)) == .failure, "another maker means something else by them")
  }

  @Test("too few, too many or halved blocks are never used", arguments: others.indices)
  func wrongLengths(dialect: Int) throws {
    let dialect = Self.others[dialect]
    for length in 0..<300 {
      let answer = try #require(ResponseAPDU([UInt8](repeating: 0, count: length) + [0x90, 0x00]))
      let single = dialect.outcome(of: answer, to: .readBlock(0))
      switch length {
      case 8, 9: #expect(single == .answer([UInt8](repeating: 0, count: 9)))
      case 4, 5: #expect(single == .fourBytes)
      default: #expect(single == .malformed(length: length))
      }
      guard dialect.command(for: Wire.three) != nil else { continue }
      let three = dialect.outcome(of: answer, to: Wire.three)
      #expect(three == (24...25 ~= length ? .answer([UInt8](repeating: 0, count: 25)) : .unknownCommand))
    }
  }
}
