// SPDX-License-Identifier: Apache-2.0
import TextFormats

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that is written in pieces and appears at its path complete or not at all.
///
/// The pieces go to a temporary file in the same directory, which gets the name once it is complete and on the disk.
/// With Linux's O_TMPFILE not even an interrupted program leaves a temporary file; on other file systems only an
/// interruption does. Links are followed. A device or a pipe is written to directly and never replaced.
package final class AtomicFile {
  /// The path as the user wrote it.
  private let path: String
  private let target: String
  private let descriptor: Int32
  /// False for a device or a pipe, which is written in place.
  private let isReplacing: Bool
  /// The name of the temporary file; nil as long as it has none.
  package private(set) var name: String?
  private var isOpen = true

  /// Creates the temporary file. `isPrivate` allows only the owner to read it, because it holds data of a person.
  /// `keepsMode` keeps the permissions of an existing file, and refuses one that its owner may not write. SQLite writes a
  /// database itself, to `name`; it may replace a store if the caller has checked that no data is lost, and never a device.
  package init(
    _ path: String, isPrivate: Bool = false, keepsMode: Bool = false, isDatabase: Bool = false
  ) throws(OutputError) {
    self.path = path
    var status = stat()
    let isThere = stat(path.fileName, &status) == 0
    guard isThere || errno == ENOENT else { throw .refused(path: path, number: errno) }
    if !isDatabase { try FileSystem.checkIsNotStore(path) }
    if isThere, status.st_mode & S_IFMT != S_IFREG {
      (target, isReplacing) = (path, false)
      descriptor = isDatabase ? -1 : open(path.fileName, O_WRONLY | O_CLOEXEC)
      if isDatabase { errno = status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL }
    } else {
      (target, isReplacing) = (Self.destination(of: path), true)
      (descriptor, name) = Self.temporaryFile(of: target, mode: isPrivate ? 0o600 : 0o666, isNamed: isDatabase)
    }
    guard descriptor >= 0 else { throw failure(errno) }
    guard keepsMode, isThere, isReplacing else { return }
    guard status.st_mode & S_IWUSR != 0 else { throw failure(EACCES) }
    guard fchmod(descriptor, status.st_mode & 0o777) == 0 else { throw failure(errno) }
  }

  deinit {
    if isOpen { close(descriptor) }
    guard let name else { return }
    unlink(name.fileName)
    // SQLite keeps the journal of a transaction that it could not end.
    unlink("\(name)-journal".fileName)
  }

  package func append(_ bytes: [UInt8]) throws(OutputError) {
    if let number = FileSystem.writeAll(bytes, to: descriptor) { throw failure(number) }
  }

  /// Moves the complete file to its path. Nothing can be added afterwards.
  package func finish() throws(OutputError) {
    if isReplacing {
      // Some network file systems do not support fsync; the file is written all the same.
      if fsync(descriptor) != 0, errno != EINVAL, errno != ENOTSUP { throw failure(errno) }
      let temporary = try namedTemporaryFile()
      guard rename(temporary.fileName, target.fileName) == 0 else { throw failure(errno) }
      name = nil
    }
    isOpen = false
    guard close(descriptor) == 0 else { throw failure(errno) }
  }

  private func failure(_ number: Int32) -> OutputError { .refused(path: path, number: number) }

  // A link can only get an unused name, so the file is renamed to its own name afterwards.
  private func namedTemporaryFile() throws(OutputError) -> String {
    if let name { return name }
    var number = EEXIST
    for _ in 0..<Self.attempts where number == EEXIST {
      let free = Self.unusedName(beside: target)
      if linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, free.fileName, AT_SYMLINK_FOLLOW) == 0 {
        name = free
        return free
      }
      number = errno
    }
    throw failure(number)
  }

  private static let attempts = 16
  /// Linux's O_TMPFILE, which Swift does not import, because the header composes it of two numbers.
  private static let unnamed = 0o20_000_000 | O_DIRECTORY

  /// Creates a new file in the same directory, which only this process writes.
  private static func temporaryFile(
    of target: String, mode: mode_t, isNamed: Bool
  ) -> (descriptor: Int32, name: String?) {
    if !isNamed, access("/proc/self/fd", X_OK) == 0 {
      let descriptor = open(FileSystem.directory(of: target).fileName, O_WRONLY | O_CLOEXEC | unnamed, mode)
      if descriptor >= 0 { return (descriptor, nil) }
    }
    for _ in 0..<attempts {
      let name = unusedName(beside: target)
      let descriptor = open(name.fileName, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
      if descriptor >= 0 { return (descriptor, name) }
      if errno != EEXIST { break }
    }
    return (-1, nil)
  }

  private static func unusedName(beside target: String) -> String {
    "\(FileSystem.directory(of: target))/.libre-\(String(UInt64.random(in: .min ... .max), radix: 16)).part"
  }

  /// The path at which the file is created: links are followed, also one whose target does not exist yet.
  private static func destination(of path: String) -> String {
    var path = FileSystem.resolved(path)
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    for _ in 0..<40 {
      let count = readlink(path.fileName, &buffer, buffer.count)
      guard count > 0 else { break }
      let link = FileNameText.text(of: buffer[..<count].map(UInt8.init(bitPattern:)))
      let directory = path.lastIndex(of: "/").map { path[...$0] } ?? ""
      path = FileSystem.resolved(link.hasPrefix("/") ? link : directory + link)
    }
    return path
  }
}
