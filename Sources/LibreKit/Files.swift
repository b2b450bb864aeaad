// SPDX-License-Identifier: Apache-2.0
public import DumpFormats
public import HostSystem

/// Files as libre reads and writes them: the calls of HostSystem, whose errors become libre's in this one place.
public enum Files {
  /// All bytes of a file, or of standard input for `-`. Throws `LibreError.input`.
  public static func read(_ path: String, limit: Int = DumpFile.sizeLimit) throws(LibreError) -> [UInt8] {
    try reading { () throws(InputError) in try FileSystem.read(path, limit: limit) }
  }

  /// The first bytes of a regular file; none of anything else. Throws `LibreError.input`.
  static func head(of path: String, count: Int) throws(LibreError) -> [UInt8] {
    try reading { () throws(InputError) in try FileSystem.head(of: path, count: count) }
  }

  /// Writes a whole file, or nothing, as an `AtomicFile` does. Throws `LibreError.output`.
  public static func write(_ bytes: [UInt8], to path: String, isPrivate: Bool = false) throws(LibreError) {
    try writing { () throws(OutputError) in try FileSystem.write(bytes, to: path, isPrivate: isPrivate) }
  }

  /// Writes a file that only its owner can read, with its directories. A file that is there stays readable by those who
  /// could read it before. Throws `LibreError.output`.
  public static func writePrivate(_ bytes: [UInt8], to path: String, keepsMode: Bool) throws(LibreError) {
    try writing { () throws(OutputError) in
      try FileSystem.makePrivate(path)
      let file = try AtomicFile(path, isPrivate: true, keepsMode: keepsMode)
      try file.append(bytes)
      try file.finish()
    }
  }

  /// Empties a private file, or makes it, for `append` to fill. Throws `LibreError.output`.
  public static func begin(_ path: String) throws(LibreError) {
    try writing { () throws(OutputError) in try FileSystem.begin(path) }
  }

  /// Adds to the end of a file that is there. Throws `LibreError.output`.
  public static func append(_ bytes: [UInt8], to path: String) throws(LibreError) {
    try writing { () throws(OutputError) in try FileSystem.append(bytes, to: path) }
  }

  /// Throws `LibreError.output`.
  public static func remove(_ path: String) throws(LibreError) {
    try writing { () throws(OutputError) in try FileSystem.remove(path) }
  }

  /// Reads something, with `LibreError.input` for what fails.
  static func reading<Value>(_ work: () throws(InputError) -> Value) throws(LibreError) -> Value {
    do throws(InputError) {
      return try work()
    } catch {
      throw .input(error)
    }
  }

  /// Writes something, with `LibreError.output` for what fails.
  public static func writing<Value>(_ work: () throws(OutputError) -> Value) throws(LibreError) -> Value {
    do throws(OutputError) {
      return try work()
    } catch {
      throw .output(error)
    }
  }
}
