// SPDX-License-Identifier: Apache-2.0
import SQLiteAccess

/// How an SQLite database begins. It is opened where it lies, and may be of any size.
public enum DatabaseFile {
  public static let magic = ForeignDatabase.signature
}
