// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import NFCTransport

@Suite("A request from its frame") struct RequestFrameTests {
  @Test("is the request that the frame was made of")
  func roundTrip() {
    for request in ISO15693.Request.all { #expect(ISO15693.Request(frame: request.frame) == request) }
  }

  @Test("does not exist for a shortened frame, a longer one, or another command")
  func others() {
    for request in ISO15693.Request.all {
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
