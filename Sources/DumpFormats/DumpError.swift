// SPDX-License-Identifier: Apache-2.0

/// Why a file gives no memory. The culprit is always the file.
public enum DumpError: Error, Hashable, Sendable {
  /// No bytes at all.
  case empty
  /// No format takes it; each says why.
  case unknownFormat([Refusal])
  /// Two formats read it equally well.
  case ambiguousFormat([String])
  /// There is no format of this name.
  case noSuchFormat(String, known: [String])
  /// Fewer bytes than a memory has.
  case truncated(found: Int, needed: Int)
  /// As many bytes as no memory has.
  case wrongLength(found: Int)
  /// A format of bytes was given text.
  case isText
  /// A format of text was given bytes.
  case isBinary
  /// Something other than hex digits and separators.
  case notHex(line: Int, column: Int, character: String)
  /// A hex digit without its partner.
  case oddHexDigits(line: Int)
  /// A header line whose value cannot be read.
  case badHeader(line: Int, key: String, value: String)
  /// More than any dump of a sensor can be.
  case tooLarge(found: Int?, limit: Int)

  /// One format's reason.
  public struct Refusal: Hashable, Sendable {
    public let format: String
    public let error: DumpError
  }
}
