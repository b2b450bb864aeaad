// SPDX-License-Identifier: Apache-2.0
import HistoryFormats

/// A format of files with a finished history, which a program adds to a ``Catalogue``.
public protocol HistoryFileFormat: Sendable {
  /// The name of the format, in lower case. It is the source of values that do not name another one.
  var name: String { get }
  /// A few words about such a file.
  var summary: String { get }

  /// Returns the values in a file, which was decompressed if it was a gzip file; nil for a file of another format. A
  /// format never guesses a time zone or a unit.
  ///
  /// - Throws: what is wrong with a file that is of this format; its description becomes part of the message, and nothing
  ///   of the file is stored.
  func values(in file: [UInt8]) throws -> [ImportedSample]?
}

/// A program's format as one of libre's own. It gets the file as a whole.
struct OwnHistoryReader: HistoryReader {
  private let own: any HistoryFileFormat

  init(_ own: any HistoryFileFormat) { self.own = own }

  var name: String { own.name }
  var summary: String { own.summary }

  func hasSignature(_ file: any HistoryFile) -> Bool {
    do { return try values(in: file) != nil } catch { return true }
  }

  func read(
    _ file: any HistoryFile, _ options: ImportOptions, _ entry: (HistoryEntry) throws(HistoryError) -> Void
  ) throws(HistoryError) -> HistoryFacts {
    guard let values = try values(in: file) else { throw .notThisFormat(lacks: "the signature of \(name)") }
    for value in values { try entry(.imported(value)) }
    return HistoryFacts()
  }

  private func values(in file: any HistoryFile) throws(HistoryError) -> [ImportedSample]? {
    var bytes: [UInt8] = []
    try file.forEachChunk { (chunk) throws(HistoryError) in bytes += chunk }
    do { return try own.values(in: bytes) } catch { throw .ownFormat(name, reason: LibreError.words(of: error)) }
  }
}
