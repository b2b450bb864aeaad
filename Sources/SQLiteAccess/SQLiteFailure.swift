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
