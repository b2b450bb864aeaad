// SPDX-License-Identifier: Apache-2.0

package struct SQLiteFailure: SQLiteError, Hashable, Sendable {
  package let reason: Reason
  package let words: String

  /// The reasons that are explained to a user in other words.
  package enum Reason: Hashable, Sendable {
    case busy, cannotOpen, corrupt, diskFull, notADatabase, notInThisBuild, readOnly, other
    /// It is to be replaced, and a program has it open: its process, if that can be told.
    case isOpen(process: Int32?)
  }

  package init(_ reason: Reason, _ words: String) {
    self.reason = reason
    self.words = words
  }

  package init(_ failure: SQLiteFailure, path: String) { self = failure }
}

/// The error type of a module that uses databases, made of SQLite's failure in the one place where SQLite reports it.
package protocol SQLiteError: Error {
  /// The error for a failure; `path` is the database's, as given to the connection.
  init(_ failure: SQLiteFailure, path: String)
}
