// SPDX-License-Identifier: Apache-2.0

/// The error of a module that uses databases, made of SQLite's failure in the one place where SQLite reports it.
package protocol SQLiteError: Error {
  /// `path` is the database's, as it was given to the connection.
  init(_ failure: SQLiteFailure, path: String)
}

extension SQLiteFailure: SQLiteError {
  /// Unchanged, for whoever has no error of its own.
  package init(_ failure: SQLiteFailure, path: String) { self = failure }
}
