// SPDX-License-Identifier: Apache-2.0
import SQLiteAccess

/// The signature of an SQLite database. A database is opened in place, and may have any size.
package enum DatabaseFile {
  package static let magic = ForeignDatabase.signature
}
