// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import NFCTransport

@Suite("ISO 15693 requests")
struct RequestTests {
  typealias Request = ISO15693.Request

  @Test("requests have the documented frames, and the list of their blocks")
  func documentedFrames() throws {
    #expect(Request.inventory.frame == [0x26, 0x01, 0x00])
    #expect(Request.systemInformation.frame == [0x02, 0x2B])
    #expect(Request.readBlock(0x08).frame == [0x02, 0x20, 0x08])
    #expect(Request.patchInfo(.texasInstruments).frame == [0x02, 0xA1, 0x07])
    #expect(Request.patchInfo(.abbott).frame == [0x02, 0xA1, 0x7A])
    // Of Abbott's own reader.
    for (first, count, frame) in [
      (0, 3, [0x02, 0x23, 0x00, 0x02]), (3, 3, [0x02, 0x23, 0x03, 0x02]), (42, 1, [0x02, 0x23, 0x2A, 0x00]),
    ] as [(Int, Int, [UInt8])] {
      #expect(Request.readBlocks(try #require(ISO15693.BlockRun(first: first, count: count))).frame == frame)
    }
    // A two-byte block number follows the manufacturer code, low byte first.
    #expect(Request.readWideBlock(0x0405, .texasInstruments).frame == [0x02, 0xB0, 0x07, 0x05, 0x04])
    let run = try #require(ISO15693.WideBlockRun(first: 0x0102, count: 3))
    #expect(Request.readWideBlocks(run, .abbott).frame == [0x02, 0xB3, 0x7A, 0x02, 0x01, 0x02])
    let last = try #require(ISO15693.BlockRun(first: 253, count: 3))
    for (request, blocks) in [
      (.readWideBlocks(run, .abbott), 258..<261), (.readWideBlock(.max, .abbott), 65_535..<65_536),
      (.readBlocks(last), 253..<256), (.readBlock(7), 7..<8), (.patchInfo(.abbott), nil), (.inventory, nil),
    ] as [(Request, Range<Int>?)] {
      #expect(request.blocks == blocks)
    }
  }

  @Test("no request can change a tag")
  func everyRequestOnlyReads() {
    let requests = Request.all
    // Runs of one to three blocks end at block 255, so 256 + 255 + 254 of them exist.
    #expect(requests.count == 2 + 2 + 256 + 765 + 2 * (258 + 6 * 3 + 2 + 1))
    for request in requests {
      let frame = request.frame
      let expected: (flags: UInt8, length: Int)? =
        switch frame[1] {
        case 0x01: (0x26, 3)
        case 0x2B: (0x02, 2)
        case 0x20, 0xA1: (0x02, 3)
        case 0x23: (0x02, 4)
        case 0xB0: (0x02, 5)
        case 0xB3: (0x02, 6)
        default: nil
        }
      #expect(expected?.flags == frame[0] && expected?.length == frame.count, "\(frame)")
      if frame[1] == 0x23 { #expect(frame[3] <= 2, "a sensor sends at most three blocks") }
      if frame[1] == 0xB3 { #expect(frame[5] <= 2, "a sensor sends at most three blocks") }
      if [0xA1, 0xB0, 0xB3].contains(frame[1]) { #expect([0x07, 0x7A].contains(frame[2])) }
    }
  }

  @Test("a run has one to three blocks and ends at the last block number or before")
  func runLimits() {
    func exists(_ first: Int, _ count: Int, last: Int) -> Bool {
      last == 255
        ? ISO15693.BlockRun(first: first, count: count) != nil
        : ISO15693.WideBlockRun(first: first, count: count) != nil
    }
    for last in [255, 65_535] {
      #expect(exists(last, 1, last: last))
      for (first, count) in [(0, 0), (0, 4), (-1, 1), (last - 1, 3), (.max, .max), (.min, .min)] {
        #expect(!exists(first, count, last: last), "\(first), \(count)")
      }
    }
  }
}

@Suite("A request from its frame") struct RequestFrameTests {
  @Test("is the request that the frame was made of, and does not exist for a shorter or longer one or another command")
  func frames() {
    for request in ISO15693.Request.all {
      #expect(ISO15693.Request(frame: request.frame) == request)
      for count in 0..<request.frame.count {
        #expect(ISO15693.Request(frame: Array(request.frame.prefix(count))) == nil)
      }
      #expect(ISO15693.Request(frame: request.frame + [0]) == nil)
    }
    let read: Set<UInt8> = [0x20, 0x23, 0x2B, 0xA1, 0xB0, 0xB3, 0x01]
    for command in UInt8.min...UInt8.max where !read.contains(command) {
      for length in 0...8 {
        #expect(ISO15693.Request(frame: [0x02, command] + [UInt8](repeating: 0x07, count: length)) == nil)
      }
    }
  }

  @Test("answers are made of data or of a refusal")
  func answers() throws {
    #expect(
      try ISO15693.Response(ISO15693.answer([1, 2, 3, 4, 5, 6, 7, 8]), to: .readBlock(0))
        == .blocks([1, 2, 3, 4, 5, 6, 7, 8]))
    #expect(try ISO15693.Response(TagError.blockNotAvailable.answer, to: .readBlock(0)) == .error(.blockNotAvailable))
  }
}

@Suite("The checksum of a frame")
struct FrameChecksumTests {
  @Test(
    "equals the one sent by Abbott's reader and the maker of PN532Killer",
    arguments: [
      // Abbott's reader (from openfreestyle's log; the request of the last frame is derived from its position there).
      ([0x02, 0x23, 0x00, 0x02], [0xE5, 0x0A]), ([0x02, 0x23, 0x03, 0x02], [0x8D, 0x20]),
      ([0x02, 0x23, 0x2A, 0x00], [0xB4, 0xF7]), ([0x02, 0x23, 0x27, 0x02], [0xDE, 0x64]),
      // The inventory of "PN532Killer Command V0.1".
      ([0x26, 0x01, 0x00], [0xF6, 0x0A]),
    ] as [([UInt8], [UInt8])])
  func literals(_ frame: [UInt8], checksum: [UInt8]) {
    #expect(FrameChecksum.sealed(frame) == frame + checksum)
    #expect(FrameChecksum.opened(frame + checksum) == frame)
  }

  @Test("is invalid with any bit of a frame inverted")
  func flippedBit() {
    let sealed = FrameChecksum.sealed([0x00, 0xDF, 0x00, 0x00, 0x01, 0x00, 0x00])
    for bit in 0..<sealed.count * 8 {
      var spoilt = sealed
      spoilt[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(FrameChecksum.opened(spoilt) == nil, "bit \(bit)")
    }
    // Nor is it checked in data shorter than a frame.
    for count in 0...2 { #expect(FrameChecksum.opened([UInt8](repeating: 0, count: count)) == nil) }
  }
}

extension ISO15693.Request {
  /// Every request with one-byte numbers, and those with two-byte numbers at the limits and at regular steps between.
  static let all: [ISO15693.Request] = {
    var requests: [ISO15693.Request] = [.inventory, .systemInformation]
    requests += ISO15693.Manufacturer.allCases.map { .patchInfo($0) }
    requests += (UInt8.min...UInt8.max).map { .readBlock($0) }
    for first in -4...260 {
      requests += (-1...5).compactMap { ISO15693.BlockRun(first: first, count: $0) }.map { .readBlocks($0) }
    }
    for manufacturer in ISO15693.Manufacturer.allCases {
      requests += stride(from: 0, through: 65_535, by: 255).map { .readWideBlock($0, manufacturer) }
      for first in [-4, 0, 254, 255, 256, 1_029, 65_533, 65_534, 65_535, 65_536] {
        requests += (-1...5).compactMap { ISO15693.WideBlockRun(first: first, count: $0) }
          .map { .readWideBlocks($0, manufacturer) }
      }
    }
    return requests
  }()
}

@Suite("ISO 15693 responses")
struct ResponseTests {
  /// E007A0000025905E, lowest byte first.
  static let uidOnAir: [UInt8] = [0x5E, 0x90, 0x25, 0x00, 0x00, 0xA0, 0x07, 0xE0]

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

  @Test("a refusal has its error code, which is kept")
  func refusal() throws {
    for (code, error) in [
      (0x10, .blockNotAvailable), (0xA0, .custom(0xA0)), (0xDF, .custom(0xDF)), (0x00, .unknown(0x00)),
      (0x15, .unknown(0x15)), (0xE0, .unknown(0xE0)),
    ] as [(UInt8, TagError)] {
      for request in Self.requests { #expect(try ISO15693.Response([0x01, code], to: request) == .error(error)) }
    }
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

  @Test("another length of a refusal, unknown flags, and a UID that does not end in E0 on air are invalid")
  func malformed() {
    let refusals = Self.requests.flatMap { request in
      [1, 3, 7, 9, 10, 25].map { (request, [0x01] + [UInt8](repeating: 0x10, count: $0 - 1)) }
    }
    let flags = (UInt8(1)...UInt8.max).map {
      (ISO15693.Request.readBlock(0), [$0] + [UInt8](repeating: 0, count: 8))
    }
    for (request, frame) in refusals + flags + [(.inventory, [0x00, 0x00] + Self.uidOnAir.reversed())] {
      #expect(throws: TransportError.malformedResponse(to: request, length: frame.count)) {
        try ISO15693.Response(frame, to: request)
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
