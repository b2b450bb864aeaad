// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file to which several processes may append whole lines.
package enum LineFile {
  package enum Failure: Error, Hashable, Sendable {
    /// The operating system refused it, with this error number.
    case refused(Int32)
    /// It is a pipe, a device or a directory.
    case notPlain
    /// The path contains NUL, at which the operating system would cut it off.
    case pathHasNUL

    /// True if another path would help: the file, its directory or its permissions are in the way.
    package var isOfPath: Bool {
      switch self {
      case .notPlain, .pathHasNUL: true
      case .refused(let number):
        [ENOENT, ENOTDIR, EACCES, EPERM, EROFS, EISDIR, ELOOP, ENAMETOOLONG, ENXIO].contains(number)
      }
    }

    package func words(_ path: String) -> String {
      switch self {
      case .notPlain: "\(path) is not a regular file; choose another file"
      case .pathHasNUL: "the path of the file contains a NUL"
      case .refused(let number) where [ENOENT, ENOTDIR].contains(number):
        "\(path): \(FileSystem.text(number)); create its folder, or choose another file"
      case .refused(let number): "\(path): \(FileSystem.text(number))\(isOfPath ? "; choose a writable file" : "")"
      }
    }
  }

  /// Checks, without a change, for the errors that `append` would throw.
  package static func check(_ path: String) throws(Failure) {
    let file = open(path.fileName, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK)
    if file >= 0 {
      defer { close(file) }
      _ = try plainSize(of: file)
    } else if errno != ENOENT || access(FileSystem.directory(of: path).fileName, W_OK | X_OK) != 0 {
      throw .refused(errno)
    }
  }

  /// Appends lines to a file, which is created with permissions for its owner only.
  ///
  /// When this returns, the lines are on the disk. If it fails, the file is unchanged. If a crash has left the last
  /// line incomplete, that line is ended first, so that the next one is valid.
  package static func append(_ lines: [UInt8], to path: String) throws(Failure) {
    guard !path.utf8.contains(0) else { throw .pathHasNUL }
    // Opens for reading too, to check the last byte, and without waiting for the other end of a pipe.
    let flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK
    var isNew = false
    var file = open(path.fileName, flags)
    if file < 0, errno == ENOENT {
      file = open(path.fileName, flags | O_CREAT, 0o600)
      isNew = true
    }
    guard file >= 0 else { throw .refused(errno) }
    defer { close(file) }
    _ = try plainSize(of: file)
    // Another libre process may append at the same time.
    while flock(file, LOCK_EX) != 0 { if errno != EINTR { throw .refused(errno) } }
    let size = try plainSize(of: file)
    do throws(Failure) {
      let isTorn = size > 0 ? try lastByte(of: file, at: size - 1) != lineBreak : false
      if let number = FileSystem.writeAll(isTorn ? [lineBreak] + lines : lines, to: file) { throw .refused(number) }
      guard fsync(file) == 0 else { throw .refused(errno) }
      if isNew { try syncDirectory(of: path) }
    } catch {
      // Removes a partly written line, so that a retry does not write it twice.
      _ = ftruncate(file, size)
      throw error
    }
  }

  private static let lineBreak = UInt8(ascii: "\n")

  private static func plainSize(of file: Int32) throws(Failure) -> off_t {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .refused(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notPlain }
    return status.st_size
  }

  private static func lastByte(of file: Int32, at offset: off_t) throws(Failure) -> UInt8 {
    var byte: UInt8 = 0
    guard pread(file, &byte, 1, offset) == 1 else { throw .refused(errno) }
    return byte
  }

  /// Writes the directory to the disk, because it holds the name of a new file.
  private static func syncDirectory(of path: String) throws(Failure) {
    let directory = open(FileSystem.directory(of: path).fileName, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw .refused(errno) }
    defer { close(directory) }
    guard fsync(directory) == 0 else { throw .refused(errno) }
  }
}

/// A lock between processes: it is held as long as this object lives, and the operating system releases it when the
/// process ends, even after a crash.
package final class FileLock: Sendable {
  private let descriptor: Int32

  /// Opens the lock file, which is created if it is missing and is never deleted. Nothing is locked yet.
  package init(_ path: String) throws(OutputError) {
    descriptor = open(path.fileName, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .refused(path: path, number: errno) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Takes the lock; false if another process has it.
  package func take() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }
}
