// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import NFCTransport

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
  }

  @Test("is not checked in data shorter than a frame", arguments: [[], [0x00], [0x00, 0x00]] as [[UInt8]])
  func short(_ bytes: [UInt8]) { #expect(FrameChecksum.opened(bytes) == nil) }
}
