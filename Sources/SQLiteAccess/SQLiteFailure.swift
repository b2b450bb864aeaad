// SPDX-License-Identifier: Apache-2.0

/// Why SQLite did not do what it was asked, in its own words.
package struct SQLiteFailure: Error, Hashable, Sendable {
  package let reason: Reason
  package let words: String

  /// What can be told to a user in different words.
  package enum Reason: Hashable, Sendable {
    case busy
    case cannotOpen
    case corrupt
    case diskFull
    case notADatabase
    case notInThisBuild
    case readOnly
    case other
  }

  package init(_ reason: Reason, _ words: String) {
    self.reason = reason
    self.words = words
  }
}

/// The error of a module that uses databases, made of SQLite's failure in the one place where SQLite reports it.
package protocol SQLiteError: Error {
  /// `path` is the database's, as it was given to the connection.
  init(_ failure: SQLiteFailure, path: String)
}

extension SQLiteFailure: SQLiteError {
  /// Unchanged, for whoever has no error of its own.
  package init(_ failure: SQLiteFailure, path: String) { self = failure }
}
