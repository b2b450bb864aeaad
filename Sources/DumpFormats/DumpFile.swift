// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// What a format is given to read: the bytes, the text in them if they are text, and where the file lies.
public struct DumpFile: Sendable {
  /// All bytes, unpacked if they were packed; of a database only the first ones, since it is opened where it lies.
  public let bytes: [UInt8]
  /// Where a database lies; nil for one that is in no file of its own. Other formats do not need it.
  public let path: String?
  /// The lines, if the bytes are text, and not too many for any.
  let text: TextLines?

  public init(_ bytes: [UInt8], path: String? = nil) {
    self.bytes = bytes
    self.path = path
    text = bytes.count > Self.sizeLimit ? nil : TextLines(bytes)
  }

  /// What a file larger than this is not (DumpFormats/Formats, "Limits"); databases may be.
  public static let sizeLimit = 64 << 20

  /// The text with plain line feeds, and without marks and escape sequences; nil if the bytes are no text.
  package var plainText: [UInt8]? { text?.bytes }

  /// The lines. Throws `empty`, or `isBinary` if the bytes are no text.
  func lines() throws(DumpError) -> TextLines {
    if bytes.isEmpty { throw .empty }
    guard let text else { throw .isBinary }
    return text
  }
}
