// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A kind of dump file, as it can be read. One file per format; `DumpDetector` tries them all.
public protocol DumpFormat: Sendable {
  /// As given to `--input-format`, lower case.
  var name: String { get }
  /// What such a file looks like, in one sentence.
  var summary: String { get }

  /// The memory inside a file, or why this is not such a file.
  ///
  /// The bytes are as many as the file holds: whether they suffice is the caller's to judge.
  func parse(_ file: [UInt8]) throws(DumpError) -> MemoryImage
}
