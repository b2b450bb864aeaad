// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A document of a head, one record for each entry, and a tail. Written records are not kept in memory.
struct RecordDocument: HistoryDocument {
  var head = ""
  /// Text before the first record; a document without records lacks it.
  var opening = ""
  var separator = ""
  var tail = ""
  /// The tail of a document without records, if it is another.
  var emptyTail: String?
  var holdsNotes = true
  let record: (HistoryEntry) throws(Omission) -> [UInt8]
  private(set) var isEmpty = true
  private(set) var leftOut: [String: Int] = [:]
  private(set) var notesLeftOut = 0

  mutating func begin() -> [UInt8] { Array(head.utf8) }

  mutating func add(_ entry: HistoryEntry) -> [UInt8] {
    do {
      let bytes = try record(entry)
      defer { isEmpty = false }
      if !holdsNotes, entry.hasNote { notesLeftOut += 1 }
      return (isEmpty ? opening : separator).utf8 + bytes
    } catch {
      leftOut[error.rawValue, default: 0] += 1
      return []
    }
  }

  mutating func end() -> [UInt8] { Array((isEmpty ? emptyTail ?? tail : tail).utf8) }
}

extension HistoryEntry {
  var hasNote: Bool { if case .fingerStick(let stick) = self { !(stick.note ?? "").isEmpty } else { false } }
}
