// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// One file that cannot be decoded, with what is to be said of it.
struct BadInput: CustomTestStringConvertible, Sendable {
  var testDescription: String { name }
  let name: String
  let bytes: [UInt8]
  let code: String
  /// The parts that the message must contain: the cause and both numbers.
  let parts: [String]

  init(_ name: String, _ bytes: [UInt8], _ code: String, _ parts: String...) {
    (self.name, self.bytes, self.code, self.parts) = (name, bytes, code, parts)
  }

  /// One for each stage at which a file of bytes is refused.
  static func all() throws -> [BadInput] {
    let active = try DumpBytes("active").bytes
    return [
      BadInput("empty.bin", [], "empty", "input is empty", "344"),
      BadInput("short.bin", Array(active[..<300]), "truncated", "300", "344"),
      BadInput("one-more.bin", active + [0], "wrong_length", "345", "344", "1952"),
      BadInput("ones.bin", [UInt8](repeating: 0xFF, count: 344), "blank_memory", "FF"),
      BadInput("random.bin", LiteralMemory.noise, "encrypted_or_unknown"),
      BadInput("bad-body.bin", LiteralMemory().damaged { $0.set([0xFF], at: 200) }, "crc_mismatch", "body"),
      BadInput(
        "trend-index.bin", LiteralMemory().edited { $0.set([16], at: 26) }, "ring_index_out_of_range", "trend", "16",
        "15"),
      BadInput("words.txt", Array("00\n01 hello\n".utf8), "not_hex", "line 2", "column 4", "h"),
    ]
  }
}
