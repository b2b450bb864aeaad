// SPDX-License-Identifier: Apache-2.0

/// Telling text from bytes.
enum TextFile {
  /// True if every byte is printable ASCII, UTF-8 continuation or white space, and one at least is printable.
  static func isText(_ file: [UInt8]) -> Bool {
    !file.isEmpty
      && file.allSatisfy { (0x20...0x7E).contains($0) || (0x09...0x0D).contains($0) || $0 >= 0x80 }
      && String(validating: file, as: UTF8.self) != nil
  }
}
