// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// One file that cannot be decoded, with what is to be said of it.
struct BadInput: CustomTestStringConvertible, Sendable {
  let name: String
  let bytes: [UInt8]
  let code: String
  /// The parts that the message must contain: the cause and both numbers.
  let parts: [String]

  init(_ name: String, _ bytes: [UInt8], _ code: String, _ parts: String...) {
    self.name = name
    self.bytes = bytes
    self.code = code
    self.parts = parts
  }

  var testDescription: String { name }

  /// What the issue names under "What bad input gets", of those that are files of bytes.
  static func all() throws -> [BadInput] {
    let active = try DumpBytes("active")
    let badBody = active.changed(at: 200, to: ~active.bytes[200])
    let computed = DumpBytes.hex(BitwiseCRC.checksum(badBody[26..<320]))
    let text = { (text: String) in Array(text.utf8) }
    return [
      BadInput("empty.bin", [], "empty", "input is empty", "344"),
      BadInput("one-byte.bin", [7], "truncated", "1 ", "344"),
      BadInput("short.bin", Array(active.bytes[..<300]), "truncated", "300", "344"),
      BadInput("short.hex", text("EC F5 A0"), "truncated", "3", "344"),
      BadInput("no-digits.hex", text("# nothing here\n\n"), "unknown_format"),
      BadInput("one-more.bin", active.bytes + [0], "wrong_length", "345", "344", "1952"),
      BadInput("long.bin", active.bytes + [UInt8](repeating: 0, count: 1_616), "wrong_length", "1960", "344", "1952"),
      BadInput("zeros.bin", [UInt8](repeating: 0, count: 344), "blank_memory", "00"),
      BadInput("ones.bin", [UInt8](repeating: 0xFF, count: 344), "blank_memory", "FF"),
      BadInput("ones.hex", text(String(repeating: "FF", count: 344)), "blank_memory", "FF"),
      BadInput("random.bin", DumpBytes.noise(344), "encrypted_or_unknown"),
      BadInput("bad-body.bin", badBody, "crc_mismatch", "body", DumpBytes.stored(badBody, at: 24), computed),
      BadInput(
        "trend-index.bin", active.changed(at: 26, to: 16, sealing: 24..<320), "ring_index_out_of_range", "trend", "16",
        "15"),
      BadInput(
        "history-index.bin", active.changed(at: 27, to: 255, sealing: 24..<320), "ring_index_out_of_range", "history",
        "255", "31"),
      BadInput("words.txt", text("00\n01 hello\n"), "not_hex", "line 2", "column 4", "h"),
      BadInput("odd.hex", text("A0 01\n00 0\n"), "odd_hex_digits", "line 2"),
      BadInput("bad-head.hex", text("# read-at: noon\n00\n"), "bad_header", "line 1", "read-at", "noon"),
    ]
  }
}
