// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation

/// A memory as other programs write it, for formats that libre only reads: head, a row for each block, tail.
struct DumpText: Sendable {
  let format: String
  var head = ""
  /// Nil where the order of the rows is all that tells which block is which.
  var row: (@Sendable (_ number: Int, _ block: [UInt8]) -> String)?
  var tail = ""

  static let uid: [UInt8] = [0xE0, 0x07, 0xA0, 0x00, 0x01, 0x23, 0x45, 0x67]
  static let patchInfo: [UInt8] = [0xDF, 0x00, 0x00, 0x01, 0x01, 0x00]

  func file(of memory: [UInt8]) -> [UInt8] {
    let rows = (0..<memory.count / 8).map { number in
      (row?(number, Array(memory[8 * number..<8 * number + 8])) ?? "") + "\n"
    }
    return Array((head + rows.joined() + tail).utf8)
  }

  private static func spaced(_ bytes: [UInt8]) -> String { HexText.string(of: bytes, separator: " ") }

  private static func padded(_ number: Int, _ width: Int, radix: Int = 10) -> String {
    let text = String(number, radix: radix)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  private static func text(_ block: [UInt8]) -> String {
    String(decoding: block.map { (0x21...0x7A).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
  }

  /// Formats whose rows say which block they are.
  static let numbered = [
    DumpText(
      format: "diable", head: "NFC: did read 43 FRAM blocks:\n",
      row: { "#\(padded($0, 2, radix: 16))  \(spaced($1))  \(text($1))" }),
    DumpText(
      format: "libremonitor", head: "# ID: \(HexText.string(of: uid, separator: ":"))\n# Memory content:\n",
      row: { "\(spaced($1))  // \($0)" }),
    DumpText(
      format: "proxmark-old", head: "UID=\(spaced(uid))\n",
      row: { "Block \(padded($0, 2, radix: 16))   \(spaced($1))    \(text($1))" }),
    DumpText(
      format: "block-list",
      row: { number, block in "Block \(number): " + block.map { "0x" + spaced([$0]) }.joined(separator: " ") }),
    DumpText(
      format: "proxmark-console",
      head: "[+] UID....... \(spaced(uid))\n[=]  blk | data                    |lck| ascii\n",
      row: { "[=] \($0) | \(spaced($1)) | 0 | \(text($1))" }, tail: "[=]   ......\n"),
    DumpText(
      format: "taginfo",
      head: "** TagInfo scan (version 4.25.5) **\nID: \(HexText.string(of: uid, separator: ":"))\n# Memory content:\n",
      row: { "[\(padded($0, 2, radix: 16).uppercased())] . \(spaced($1)) |\(text($1))|" }),
  ]

  /// The rest of what is only read, whole.
  static func others(of memory: [UInt8]) -> [(format: String, bytes: [UInt8])] {
    let base64 = Data(memory).base64EncodedString()
    let onAir = Array(uid.reversed())
    let locks: [UInt8] = onAir + [0, 0, 0, 0, 8, UInt8(memory.count / 8), 0] + [UInt8](repeating: 0, count: 160)
    let texts = [
      (
        "librewifi",
        """
        {"libre_wifi_data": [{"BlockBytes": "\(base64)", "CaptureDateTime": 1714645080000, \
        "patchUid": "\(Data(onAir).base64EncodedString())", "patchInfo": "\(Data(patchInfo).base64EncodedString())"}]}
        """
      ),
      ("librealarm", #"{"data": {"raw_data": \#(memory.map { Int(Int8(bitPattern: $0)) })}}"#),
      ("oop-request", "accesstoken=x&b64contents=\(base64.replacing("+", with: "%2B"))&oldState="),
      ("decimal", "\(memory.map(Int.init))"), ("base64", base64),
      ("found", "05-02 10:15:12.123 D/Nfc: \(spaced(memory))\n05-02 10:15:12.456 D/Nfc: fram=\(base64)\n"),
      ("found", "let fram: [Int8] = [\n" + memory.map { "  \(Int8(bitPattern: $0)),\n" }.joined() + "]\n"),
    ]
    return texts.map { ($0.0, Array($0.1.utf8)) } + [
      ("proxmark-bin", locks + memory + [UInt8](repeating: 0, count: 2_060 - memory.count)), ("bubble", onAir + memory),
      ("miaomiao", [0x28, 1, 0x6B, 0, 0] + onAir + [0, 0, 0, 0, 0] + memory + [0x29] + patchInfo),
    ]
  }
}
