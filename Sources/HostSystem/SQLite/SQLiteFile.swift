// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CSQLite
  import TextFormats

  package enum SQLiteFile {
    package static func exists(_ path: String) -> Bool { exists(name(path)) }

    static func name(_ path: String) -> [CChar] { FileNameText.bytes(of: path).map { CChar(bitPattern: $0) } + [0] }

    static func exists(_ name: UnsafePointer<CChar>?) -> Bool {
      guard let name, let files = sqlite3_vfs_find(nil) else { return false }
      var found: Int32 = 0
      return files.pointee.xAccess(files, name, SQLITE_ACCESS_EXISTS, &found) == SQLITE_OK && found != 0
    }

    /// Returns a path as a URI, to which parameters can be added: characters with a meaning in URIs are encoded, and the
    /// bytes of a name that is not UTF-8.
    static func uri(of path: String) -> String {
      let digits = Array("0123456789ABCDEF")
      return FileNameText.bytes(of: path).reduce(into: "file:") { uri, byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          uri.unicodeScalars.append(UnicodeScalar(byte))
        default: uri += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
        }
      }
    }
  }
#else
  package enum SQLiteFile {
    // True, so that opening is tried and reports why it fails.
    package static func exists(_ path: String) -> Bool { true }
  }
#endif
