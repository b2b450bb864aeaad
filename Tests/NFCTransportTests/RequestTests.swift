// SPDX-License-Identifier: Apache-2.0
import NFCTransport
import Testing

@Suite("ISO 15693 requests")
struct RequestTests {
  typealias Request = ISO15693.Request

  @Test("requests are the documented frames")
  func documentedFrames() throws {
    #expect(Request.inventory.frame == [0x26, 0x01, 0x00])
    #expect(Request.systemInformation.frame == [0x02, 0x2B])
    #expect(Request.readBlock(0x08).frame == [0x02, 0x20, 0x08])
    #expect(Request.patchInfo(.texasInstruments).frame == [0x02, 0xA1, 0x07])
    #expect(Request.patchInfo(.abbott).frame == [0x02, 0xA1, 0x7A])
  }

  @Test(
    "reads are the frames of Abbott's own reader",
    arguments: [
      (0, 3, [0x02, 0x23, 0x00, 0x02]), (3, 3, [0x02, 0x23, 0x03, 0x02]), (42, 1, [0x02, 0x23, 0x2A, 0x00]),
    ]
      as [(Int, Int, [UInt8])])
  func sniffedFrames(first: Int, count: Int, frame: [UInt8]) throws {
    #expect(Request.readBlocks(try #require(ISO15693.BlockRun(first: first, count: count))).frame == frame)
  }

  @Test("nothing that can be asked changes a tag")
  func everyRequestOnlyReads() {
    var requests: [Request] = [.inventory, .systemInformation]
    requests += ISO15693.Manufacturer.allCases.map { .patchInfo($0) }
    requests += (UInt8.min...UInt8.max).map { .readBlock($0) }
    for first in -4...260 {
      requests += (-1...5).compactMap { ISO15693.BlockRun(first: first, count: $0) }.map { .readBlocks($0) }
    }
    // Runs of one to three blocks end at block 255, so 256 + 255 + 254 of them exist.
    #expect(requests.count == 2 + 2 + 256 + 765)
    for request in requests {
      let frame = request.frame
      let expected: (flags: UInt8, length: Int)? =
        switch frame[1] {
        case 0x01: (0x26, 3)
        case 0x2B: (0x02, 2)
        case 0x20, 0xA1: (0x02, 3)
        case 0x23: (0x02, 4)
        default: nil
        }
      #expect(expected?.flags == frame[0] && expected?.length == frame.count, "\(frame)")
      if frame[1] == 0x23 { #expect(frame[3] <= 2, "a sensor sends at most three blocks") }
      if frame[1] == 0xA1 { #expect([0x07, 0x7A].contains(frame[2])) }
    }
  }

  @Test("a run has one to three blocks, none past 255")
  func runLimits() {
    #expect(ISO15693.BlockRun(first: 0, count: 0) == nil)
    #expect(ISO15693.BlockRun(first: 0, count: 4) == nil)
    #expect(ISO15693.BlockRun(first: -1, count: 1) == nil)
    #expect(ISO15693.BlockRun(first: 255, count: 1) != nil)
    #expect(ISO15693.BlockRun(first: 254, count: 3) == nil)
    #expect(ISO15693.BlockRun(first: .max, count: .max) == nil)
    #expect(ISO15693.BlockRun(first: .min, count: .min) == nil)
  }

  @Test("a request knows its blocks")
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
