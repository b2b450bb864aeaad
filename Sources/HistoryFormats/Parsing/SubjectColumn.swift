// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The subjects of a table: the persons whose values its rows hold, told apart by a column.
package struct FileSubjects: Hashable, Sendable {
  package let column: String
  /// The different names in the column, in the order of their first values. A row without a name belongs to a subject of
  /// its own, with an empty name.
  package let names: [String]
}

/// The column of a table that names the person whose value a row holds (HistoryFormats/Formats, "table"). Upper and
/// lower case are equal, and spaces, `_`, `-`, `.` and `#` do not count.
struct SubjectColumn {
  let index: Int
  let name: String
  /// True for a name that is also used for the ids of rows.
  private let isPerhapsOfRows: Bool

  private static let certain: Set<String> = {
    let words = ["subject", "patient", "participant", "person"]
    let endings = ["", "id", "name", "no", "number", "code"]
    return Set(words.flatMap { word in endings.map { word + $0 } } + ["pid", "ptid", "subjid", "usubjid"])
  }()
  private static let perhaps: Set<String> = ["id", "recordid", "recid"]

  /// The subject's column of a header; nil for a header without it. A certain name takes precedence over one of `perhaps`.
  init?(_ header: CSVColumns) {
    let plain = header.shown.map { name in
      name.lowercased().filter { !" _-.#\t".contains($0) }
    }
    if let index = plain.firstIndex(where: Self.certain.contains) {
      (self.index, name, isPerhapsOfRows) = (index, header.shown[index], false)
    } else if let index = plain.firstIndex(where: Self.perhaps.contains) {
      (self.index, name, isPerhapsOfRows) = (index, header.shown[index], true)
    } else {
      return nil
    }
  }

  /// The names in the column, while its rows are read.
  struct Names {
    private(set) var names: [String] = []
    private var known: Set<String> = []
    private var last: String?
    private var hasRepeats = false
    private var isFull: Bool { names.count >= Self.limit }

    /// More subjects than any study has, so that a malicious file cannot fill the memory.
    private static let limit = 1 << 16

    mutating func add(_ name: String) {
      // Most tables list one subject after the other.
      if name == last { return hasRepeats = true }
      last = name
      if known.contains(name) { return hasRepeats = true }
      if isFull { return }
      known.insert(name)
      names.append(name)
    }

    /// The subjects; nil for a column with the ids of rows, or without any row.
    func subjects(of column: SubjectColumn) -> FileSubjects? {
      if names.isEmpty || column.isPerhapsOfRows && !hasRepeats { return nil }
      return FileSubjects(column: column.name, names: names)
    }
  }
}
