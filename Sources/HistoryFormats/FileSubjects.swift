// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The subjects of a table: the persons whose values its rows hold, told apart by a column.
package struct FileSubjects: Hashable, Sendable {
  package let column: String
  /// The different names in the column, in the order of their first values. A row without a name belongs to a subject of
  /// its own, with an empty name.
  package let names: [String]
}

/// A format in which one file can hold the values of several subjects.
package protocol SubjectReader: HistoryReader {
  /// Returns the subjects of a file, as far as an error that ends the reading; nil for a file that does not name any.
  func subjects(in file: any HistoryFile, _ options: ImportOptions) throws(HistoryError) -> FileSubjects?

  /// Reads a file once, and passes each entry on with the name of its subject. The subject of the options is ignored.
  ///
  /// Each subject's entries, and the returned facts about them, are those of a file with only the rows of this subject.
  func readSubjects(
    of file: any HistoryFile, _ options: ImportOptions,
    _ entry: (_ subject: String, HistoryEntry) throws(HistoryError) -> Void
  ) throws(HistoryError) -> [String: HistoryFacts]
}
