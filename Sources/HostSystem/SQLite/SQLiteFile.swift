// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CSQLite
  import TextFormats

  package enum SQLiteFile {
    package static func exists(_ path: String) -> Bool { exists(path.fileName) }

    static func exists(_ name: UnsafePointer<CChar>?) -> Bool {
      guard let name, let files = sqlite3_vfs_find(nil) else { return false }
      var found: Int32 = 0
      return files.pointee.xAccess(files, name, SQLITE_ACCESS_EXISTS, &found) == SQLITE_OK && found != 0
    }

    /// Returns a path as a URI, to which parameters can be added.
    static func uri(of path: String) -> String { "file:" + PercentEncoding.encoded(FileNameText.bytes(of: path)) }
  }
#else
  package enum SQLiteFile {
    // True, so that opening is tried and reports why it fails.
    package static func exists(_ path: String) -> Bool { true }
  }
#endif
