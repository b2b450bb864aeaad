// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The bytes of a Bluetooth packet: as they are, or as the hex digits in which a log or `<28016b …>` shows them, which
/// is how most people come by a packet.
enum PacketBytes {
  /// nil for text that is not hex digits alone, or more of it than any packet has.
  static func bytes(of file: DumpFile) -> [UInt8]? {
    guard let text = file.text?.bytes else { return file.bytes }
    guard text.count <= textLimit else { return nil }
    return HexText.bytes(of: String(decoding: text.filter { !isSeparator($0) }, as: UTF8.self))
  }

  private static let textLimit = 4_096

  private static func isSeparator(_ character: UInt8) -> Bool {
    TextLine.isSpace(character) || "<>,:-".utf8.contains(character)
  }
}
