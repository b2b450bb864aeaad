// SPDX-License-Identifier: Apache-2.0

/// Finds out by its marks which format a file has. There are no checksums here that could decide.
public struct HistoryDetector: Sendable {
  public let readers: [any HistoryReader]

  public init(readers: [any HistoryReader]) { self.readers = readers }

  /// The one format whose marks a file has.
  ///
  /// With a `name` only that format comes into question, whatever marks there are. Throws `noSuchFormat` for a name
  /// that none has, `unknownFormat` for a file that is no history, `ambiguousFormat` for marks of several formats.
  public func detect(_ file: any HistoryFile, as name: String? = nil) throws(HistoryError) -> any HistoryReader {
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
