// SPDX-License-Identifier: Apache-2.0
import TextFormats

package struct DumpFile: Sendable {
  /// All bytes, decompressed; for a database only the first ones, since it is opened in place.
  package let bytes: [UInt8]
  /// The path of a database; nil if it is not in a file of its own. Other formats do not need it.
  package let path: String?
  /// The lines, if the bytes are text of an acceptable size.
  let text: TextLines?

  package init(_ bytes: [UInt8], path: String? = nil) {
    self.bytes = bytes
    self.path = path
    text = bytes.count > Self.sizeLimit ? nil : TextLines(bytes)
  }

  /// A part of a larger file. It has no lines, because it may begin and end inside one.
  package init(part bytes: [UInt8]) {
    self.bytes = bytes
    path = nil
    text = nil
  }

  /// The largest dump file accepted, in bytes (DumpFormats/Formats, "Limits"). Databases may be larger.
  package static let sizeLimit = 64 << 20

  /// The text with plain line feeds, without byte order mark and escape sequences; nil if the bytes are not text.
  package var plainText: [UInt8]? { text?.bytes }

  var otherEncoding: DumpError? {
    guard let text else { return nil }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return .utf16 }
    return String(validating: text.bytes, as: UTF8.self) == nil ? .latin1 : nil
  }

  func lines() throws(DumpError) -> TextLines {
    if bytes.isEmpty { throw .empty }
    guard let text else { throw .isBinary }
    return text
  }
}
