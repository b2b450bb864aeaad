// SPDX-License-Identifier: Apache-2.0

/// Detects the format of a file by its signature, since a history has no checksums that could decide.
package struct HistoryDetector: Sendable {
  package let readers: [any HistoryReader]

  package init(readers: [any HistoryReader]) { self.readers = readers }

  /// Returns the one format whose signature a file has.
  ///
  /// With a `name`, the format with this name is returned, whatever signature the file has.
  ///
  /// - Throws: `noSuchFormat` for an unknown name, `unknownFormat` for a file without a known signature,
  ///   `ambiguousFormat` for a file with those of several formats.
  package func detect(_ file: any HistoryFile, as name: String? = nil) throws(HistoryError) -> any HistoryReader {
    if let name {
      guard let reader = readers.first(where: { $0.name == name }) else {
        throw .noSuchFormat(name, known: readers.map(\.name))
      }
      return reader
    }
    let found = readers.filter { $0.hasSignature(file) }
    guard let reader = found.first else { throw .unknownFormat }
    guard found.count == 1 else { throw .ambiguousFormat(found.map(\.name)) }
    return reader
  }
}
