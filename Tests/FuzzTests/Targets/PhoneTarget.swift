// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import NFCTransport

/// Messages of a phone, or of whatever else connects to its port.
enum PhoneTarget {
  static let all = [
    FuzzTarget(name: "phone", seeds: { seeds }, words: words, longest: 2_048, testRuns: 1_000, run: converse)
  ]

  private static let words = ["\u{8}\u{1}\u{10}\u{1}\u{1A}", "\u{16}\u{3}\u{1}", "\u{0}\u{0}\u{0}\u{2}\u{1}\u{8}\u{3}"]

  private static let seeds = [
    NFCGateBytes.hello + NFCGateBytes.found + NFCGateBytes.answer([0, 0, 0x67, 0x45, 0x23, 1, 0, 0xA0, 7, 0xE0])
      + NFCGateBytes.answer([0] + [UInt8](repeating: 7, count: 8)),
    NFCGateBytes.hello + [0, 0, 0, 2, 1, 0x08, 0x03],
  ]

  private static func converse(_ input: [UInt8]) throws {
    // All bytes come at once, whatever is asked.
    let line = PlayedLine(input[...], size: max(1, input.count))
    var phone = PhoneConversation(line, name: "fuzz", limit: .seconds(60))
    for request in [ISO15693.Request.inventory, .readBlock(0), .readBlock(1)] {
      guard let answer = try? phone.exchange(request, startsAfresh: request == .inventory, while: { true }) else {
        continue
      }
      try require((try? ISO15693.Response(answer, to: request)) != nil, "an answer to something else")
    }
    for message in line.sent where message != NFCGateMessage.welcome {
      let frame = Array(message.dropFirst(10))
      let plain = frame.count > 9 && frame[0] & 0x20 != 0 && frame[1] != 0x01
      try require(plain || ISO15693.Request(frame: frame) != nil, "it sends bytes that are not a request")
    }
  }
}
