// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A document of a head, one record for each entry, and a tail. Written records are not kept in memory.
struct RecordDocument: HistoryDocument {
  private let head: String
  private let separator: String
  private let tail: String
  private let record: (HistoryEntry) throws(Omission) -> [UInt8]
  private let holdsNotes: Bool
  private var isFirst = true
  private(set) var leftOut: [String: Int] = [:]
  private(set) var notesLeftOut = 0

  init(
    head: String = "", separator: String = "", tail: String = "", holdsNotes: Bool = true,
    record: @escaping (HistoryEntry) throws(Omission) -> [UInt8]
  ) {
    self.head = head
    self.separator = separator
    self.tail = tail
    self.holdsNotes = holdsNotes
    self.record = record
  }

  mutating func begin() -> [UInt8] { Array(head.utf8) }

  mutating func add(_ entry: HistoryEntry) -> [UInt8] {
    do {
      let bytes = try record(entry)
      defer { isFirst = false }
      if !holdsNotes, entry.hasNote { notesLeftOut += 1 }
      return isFirst ? bytes : separator.utf8 + bytes
    } catch {
      leftOut[error.rawValue, default: 0] += 1
      return []
    }
  }

  mutating func end() -> [UInt8] { Array(tail.utf8) }
}

extension HistoryEntry {
  /// True for a finger-stick with a note of the user.
  var hasNote: Bool { if case .fingerStick(let stick) = self { !(stick.note ?? "").isEmpty } else { false } }
}
