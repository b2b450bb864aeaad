// SPDX-License-Identifier: Apache-2.0
import NFCTransport
import Testing

@Suite("ISO 15693 requests")
struct RequestTests {
  typealias Request = ISO15693.Request

  @Test("requests have the documented frames")
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

  @Test("a two-byte block number follows the manufacturer code, low byte first")
  func wideFrames() throws {
    #expect(Request.readWideBlock(0x0405, .texasInstruments).frame == [0x02, 0xB0, 0x07, 0x05, 0x04])
    let run = try #require(ISO15693.WideBlockRun(first: 0x0102, count: 3))
    #expect(Request.readWideBlocks(run, .abbott).frame == [0x02, 0xB3, 0x7A, 0x02, 0x01, 0x02])
    #expect(Request.readWideBlocks(run, .abbott).blocks == 258..<261)
    #expect(Request.readWideBlock(.max, .abbott).blocks == 65_535..<65_536)
  }

  @Test("a request has the list of its blocks")
  func blocks() throws {
    let run = try #require(ISO15693.BlockRun(first: 253, count: 3))
    #expect(Request.readBlocks(run).blocks == 253..<256)
    #expect(Request.readBlocks(run).firstBlock == 253)
    #expect(Request.readBlock(7).blocks == 7..<8)
    #expect(Request.readBlock(7).firstBlock == 7)
    #expect(Request.patchInfo(.abbott).blocks == nil)
    #expect(Request.inventory.firstBlock == nil)
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
