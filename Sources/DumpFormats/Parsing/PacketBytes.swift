// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The bytes of a Bluetooth packet, binary or as hex digits, in which logs show them, also as `<28016b …>`.
enum PacketBytes {
  /// nil for text that is not only hex digits, or longer than any packet.
  static func bytes(of file: DumpFile) -> [UInt8]? {
    guard let text = file.text?.bytes else { return file.bytes }
    guard text.count <= textLimit else { return nil }
    return HexText.bytes(
      of: String(decoding: text.filter { !("<>,:-".utf8.contains($0) || TextLine.isSpace($0)) }, as: UTF8.self))
  }

  private static let textLimit = 4_096
}
