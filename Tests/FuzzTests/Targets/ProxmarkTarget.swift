// SPDX-License-Identifier: Apache-2.0
import CGMModel

@testable import NFCTransport

/// What comes from the port of a Proxmark3: frames in any pieces, and a whole conversation with whatever answers.
enum ProxmarkTarget {
  static let all = [
    FuzzTarget(name: "proxmark-frames", seeds: { seeds }, words: words, longest: 2_048, testRuns: 1_000, run: parse),
    FuzzTarget(
      name: "proxmark-conversation", seeds: { seeds }, words: words, longest: 2_048, testRuns: 300, run: converse),
  ]

  private static let words = ["PM3b", "b3", "\u{0}\u{80}", "OS......... v4.21611\n", "os: v4.17768\n", "\u{13}\u{3}"]

  private static func reply(_ command: UInt16, _ data: [UInt8], status: UInt8 = 0) -> [UInt8] {
    Array("PM3b".utf8) + [UInt8(data.count & 0xFF), UInt8(data.count >> 8) | 0x80, status, 0xFF]
      + [UInt8(command & 0xFF), UInt8(command >> 8)] + data + Array("b3".utf8)
  }

  private static let greeting: [[UInt8]] = [
    reply(0x0109, (0..<32).map { UInt8($0) }), reply(0x0112, [7, 0, 0, 0, 0, 0xC4, 0xA0, 0, 0, 0x82, 0xF7, 0x2F, 0]),
    reply(0x0107, [UInt8](repeating: 0, count: 12) + Array("  OS......... v4.21611\n\0".utf8)),
  ]

  /// The first byte is the size of pieces.
  private static let seeds: [[UInt8]] = [
    [9] + greeting.joined() + reply(0x0313, [0, 0, 0x67, 0x45, 0x23, 0x01, 0x00, 0xA0, 0x07, 0xE0, 0x5A, 0x3C])
      + reply(0x0313, [], status: 0xFC),
    [200] + greeting.joined() + reply(0x0116, [0xDC, 0x05]) + reply(0x0100, [1, 0, 65, 66])
      + reply(0x0313, [1, 0x0F, 0x68, 0xEE]),
    [1] + reply(0x0313, [UInt8](repeating: 0x50, count: 512)), [3, 0x50, 0x4D, 0x33, 0x62, 0xFF],
  ]

  private static func parse(_ input: [UInt8]) throws {
    let size = Int(input.first ?? 0) + 1
    let bytes = Array(input.dropFirst())
    func replies(in pieces: Int) -> [ProxmarkReply] {
      var parser = ProxmarkReplies()
      var found: [ProxmarkReply] = []
      for start in stride(from: 0, to: bytes.count, by: pieces) {
        parser.add(Array(bytes[start..<min(start + pieces, bytes.count)]))
        while let reply = parser.next() { found.append(reply) }
      }
      while let reply = parser.next(isFinal: true) { found.append(reply) }
      return found
    }
    let whole = replies(in: max(bytes.count, 1))
    try require(replies(in: size) == whole, "the pieces make a difference")
    try require(whole.count <= bytes.count / 12, "more frames than there is room for")
    for reply in whole { try require(reply.data.count <= 512, "a frame that is too long") }
  }

  private static func converse(_ input: [UInt8]) throws {
    let line = PlayedLine(input.dropFirst(), size: Int(input.first ?? 0) + 1)
    var conversation = ProxmarkConversation(line, name: "fuzz", limit: .seconds(60))
    let firmware = try? conversation.identify { true }
    if firmware != nil {
      for _ in 0..<4 {
        let answer = try? conversation.exchange(.inventory, startsAfresh: true) { true }
        if let answer = answer ?? nil { try require(answer.count >= 1, "an answer without flags") }
      }
    }
    conversation.end()
    let sent = line.sent
    try require(sent.count < 20, "it asks without end")
    let frames = sent.filter { $0.count > 8 && $0[6] == 0x13 && $0[7] == 0x03 }
    try require(firmware != nil || frames.isEmpty, "a frame was sent to a device that may transmit garbage")
    if firmware != nil {
      try require(
        sent.contains { $0.starts(with: [0x50, 0x4D, 0x33, 0x61, 0, 0x80, 0x30, 0x04]) }, "the field stays on")
    }
  }
}
