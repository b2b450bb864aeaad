// SPDX-License-Identifier: Apache-2.0
import DumpFormats
import HostSystem

/// Reading and writing of files, with the errors of HostSystem as `LibreError`.
package enum Files {
  /// Reads all bytes of a file, or of standard input for `-`.
  ///
  /// - Throws: `LibreError.input`.
  package static func read(_ path: String, limit: Int = DumpFile.sizeLimit) throws(LibreError) -> [UInt8] {
    try reading { () throws(InputError) in try FileSystem.read(path, limit: limit) }
  }

  /// Reads the first bytes of a regular file; returns none for other files.
  ///
  /// - Throws: `LibreError.input`.
  static func head(of path: String, count: Int) throws(LibreError) -> [UInt8] {
    try reading { () throws(InputError) in try FileSystem.head(of: path, count: count) }
  }

  /// Writes a whole file, or nothing, with an `AtomicFile`.
  ///
  /// - Throws: `LibreError.output`.
  package static func write(_ bytes: [UInt8], to path: String, isPrivate: Bool = false) throws(LibreError) {
    try writing { () throws(OutputError) in try FileSystem.write(bytes, to: path, isPrivate: isPrivate) }
  }

  /// Writes a file that only its owner can read, and creates its directories. With `keepsMode` an existing file keeps
  /// its permissions.
  ///
  /// - Throws: `LibreError.output`.
  package static func writePrivate(_ bytes: [UInt8], to path: String, keepsMode: Bool) throws(LibreError) {
    try writing { () throws(OutputError) in
      try FileSystem.makePrivate(path)
      let file = try AtomicFile(path, isPrivate: true, keepsMode: keepsMode)
      try file.append(bytes)
      try file.finish()
    }
  }

  /// Creates or empties a private file, for `append`.
  ///
  /// - Throws: `LibreError.output`.
  package static func begin(_ path: String) throws(LibreError) {
    try writing { () throws(OutputError) in try FileSystem.begin(path) }
  }

  /// Appends to an existing file.
  ///
  /// - Throws: `LibreError.output`.
  package static func append(_ bytes: [UInt8], to path: String) throws(LibreError) {
    try writing { () throws(OutputError) in try FileSystem.append(bytes, to: path) }
  }

  /// Removes a file.
  ///
  /// - Throws: `LibreError.output`.
  package static func remove(_ path: String) throws(LibreError) {
    try writing { () throws(OutputError) in try FileSystem.remove(path) }
  }

  /// Runs a read and converts its error to `LibreError.input`.
  static func reading<Value>(_ work: () throws(InputError) -> Value) throws(LibreError) -> Value {
    do throws(InputError) {
      return try work()
    } catch {
      throw .input(error)
    }
  }
}
