// SPDX-License-Identifier: Apache-2.0
import CGMModel
import NFCTransport
import Testing

@Suite("ISO 15693 responses")
struct ResponseTests {
  /// E007A0000025905E, lowest byte first.
  static let uidOnAir: [UInt8] = [0x5E, 0x90, 0x25, 0x00, 0x00, 0xA0, 0x07, 0xE0]

  @Test("a UID that does not end in E0 on air is invalid")
  func uidWithoutMark() {
    let frame: [UInt8] = [0x00, 0x00] + Self.uidOnAir.reversed()
    #expect(throws: TransportError.malformedResponse(to: .inventory, length: 10)) {
      try ISO15693.Response(frame, to: .inventory)
    }
  }

  @Test("an answer has blocks or patch info after its flags, or the UID, lowest byte first, with any optional fields")
  func contents() throws {
    let uid = try SensorUID(printed: "E007A0000025905E")
    #expect(try ISO15693.Response([0x00, 0x00] + Self.uidOnAir, to: .inventory) == .inventory(uid))
    for parts: [UInt8] in [[0xFF, 0x07], [0xF3, 0x07], [0x21, 0x43, 0x1B, 0x03, 0x01]] {
      let frame = [0x00, parts.count == 2 ? 0x04 : 0x0F] + Self.uidOnAir + parts
      #expect(try ISO15693.Response(frame, to: .systemInformation) == .systemInformation(uid))
    }
    let run = try #require(ISO15693.BlockRun(first: 40, count: 3))
    let data = (0..<24).map { UInt8($0) }
    #expect(try ISO15693.Response([0x00] + data, to: .readBlocks(run)) == .blocks(data))
    #expect(try ISO15693.Response([0x00] + data.prefix(8), to: .readBlock(3)) == .blocks(Array(data.prefix(8))))
    let info = try #require(PatchInfo([0xDF, 0, 0, 0, 0, 0]))
    #expect(
      try ISO15693.Response([0x00] + info.bytes, to: .patchInfo(.texasInstruments)) == .patchInfo(info))
    let long = try #require(PatchInfo([UInt8](repeating: 4, count: 24)))
    #expect(
      try ISO15693.Response([0x00, 0xA5, 0x00] + long.bytes + [1, 2], to: .patchInfo(.abbott)) == .patchInfo(long))
  }

  @Test(
    "a refusal has its error code",
    arguments: [
      (0x10, .blockNotAvailable), (0xA0, .custom(0xA0)), (0xDF, .custom(0xDF)), (0x00, .unknown(0x00)),
      (0x15, .unknown(0x15)), (0xE0, .unknown(0xE0)),
    ] as [(UInt8, TagError)])
  func refusal(code: UInt8, error: TagError) throws {
    for request in Self.requests {
      #expect(try ISO15693.Response([0x01, code], to: request) == .error(error))
    }
  }

  @Test("every error code of a tag is kept")
  func codesRoundTrip() {
    for code in UInt8.min...UInt8.max { #expect(TagError(code: code).code == code) }
  }

  @Test("an answer must have exactly its length", arguments: requests)
  func exactLengths(request: ISO15693.Request) {
    for length in 0...64 {
      // Bytes of E0 make every UID valid; as system information they name optional fields that do not exist.
      var frame = [UInt8](repeating: 0xE0, count: length)
      if length > 0 { frame[0] = 0x00 }
      if length > 1, request == .systemInformation { frame[1] = 0x04 }
      if Self.lengths(of: request).contains(length) {
        #expect(throws: Never.self) { try ISO15693.Response(frame, to: request) }
      } else {
        #expect(throws: TransportError.malformedResponse(to: request, length: length)) {
          try ISO15693.Response(frame, to: request)
        }
      }
    }
  }

  @Test("a refusal has two bytes", arguments: requests)
  func refusalLength(request: ISO15693.Request) {
    for length in [1, 3, 7, 9, 10, 25] {
      #expect(throws: TransportError.malformedResponse(to: request, length: length)) {
        try ISO15693.Response([0x01] + [UInt8](repeating: 0x10, count: length - 1), to: request)
      }
    }
  }

  @Test("unknown flags are not accepted as success")
  func strangeFlags() {
    for flags in UInt8.min...UInt8.max where flags != 0 {
      #expect(throws: TransportError.malformedResponse(to: .readBlock(0), length: 9)) {
        try ISO15693.Response([flags] + [UInt8](repeating: 0, count: 8), to: .readBlock(0))
      }
    }
  }

  static let requests: [ISO15693.Request] =
    [
      .inventory, .systemInformation, .readBlock(0), .patchInfo(.texasInstruments),
      .readWideBlock(256, .texasInstruments),
    ]
    + (1...3).compactMap { ISO15693.BlockRun(first: 0, count: $0) }.map { .readBlocks($0) }
    + (1...3).compactMap { ISO15693.WideBlockRun(first: 256, count: $0) }.map { .readWideBlocks($0, .abbott) }

  /// NFCTransport/ReadingOverTheAir, "System information" and ISO 15693-3; `parts` is the byte that lists the fields of
  /// the system information.
  static func lengths(of request: ISO15693.Request, parts: UInt8 = 0x04) -> [Int] {
    switch request {
    case .inventory: [10]
    case .systemInformation: [[10, 11, 11, 12, 12, 13, 13, 14, 11, 12, 12, 13, 13, 14, 14, 15][Int(parts & 0x0F)]]
    case .readBlock, .readWideBlock: [9]
    case .readBlocks(let run): [[0, 9, 17, 25][Int(run.count)]]
    case .readWideBlocks(let run, _): [[0, 9, 17, 25][Int(run.count)]]
    case .patchInfo: [7, 25]
    }
  }
}
