// SPDX-License-Identifier: Apache-2.0

/// How an SQLite database begins (sqlite.org, "Database File Format"). It is opened where it lies, and may be of any size.
public enum DatabaseFile {
  public static let mark = Array("SQLite format 3\0".utf8)
}
