// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that is written piece by piece, and is there in full or not at all.
///
/// The pieces go to a neighbour that takes the name once it is complete and on the disk. Where the file system has
/// files without a name (Linux's O_TMPFILE), not even an interrupted program leaves one behind; elsewhere only an
/// interruption does. A link is followed, and what is no file (a device, a pipe) is written to and never replaced.
public final class AtomicFile {
  /// As the user wrote it.
  private let path: String
  private let target: String
  private let descriptor: Int32
  /// False for what is no file and is written in place.
  private let isReplacing: Bool
  /// Of the neighbour; nil as long as it has none.
  public private(set) var name: String?
  private var isOpen = true

  /// A private file is one that only its owner may read: it holds what was read from a person's sensor.
  ///
  /// With `keepsMode` a file that is there may be read by whom it could be read before, and is left alone if its owner
  /// may not write to it. A database is written by SQLite, to the neighbour's `name`; it may take the place of a store, if
  /// the caller has found that nothing is lost, and a device is none. Throws `OutputError`.
  public init(
    _ path: String, isPrivate: Bool = false, keepsMode: Bool = false, isDatabase: Bool = false
  ) throws(OutputError) {
    self.path = path
    var status = stat()
    let isThere = stat(path, &status) == 0
    guard isThere || errno == ENOENT else { throw .refused(path: path, number: errno) }
    if !isDatabase { try FileSystem.spareStore(path) }
    if isThere, status.st_mode & S_IFMT != S_IFREG {
      (target, isReplacing) = (path, false)
      descriptor = isDatabase ? -1 : open(path, O_WRONLY | O_CLOEXEC)
      if isDatabase { errno = status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL }
    } else {
      (target, isReplacing) = (Self.destination(of: path), true)
      (descriptor, name) = Self.neighbour(of: target, mode: isPrivate ? 0o600 : 0o666, isNamed: isDatabase)
    }
    guard descriptor >= 0 else { throw failure(errno) }
    guard keepsMode, isThere, isReplacing else { return }
    guard status.st_mode & S_IWUSR != 0 else { throw failure(EACCES) }
    guard fchmod(descriptor, status.st_mode & 0o777) == 0 else { throw failure(errno) }
  }

  deinit {
    if isOpen { close(descriptor) }
    if let name { unlink(name) }
  }

  public func append(_ bytes: [UInt8]) throws(OutputError) {
    if let number = FileSystem.writeAll(bytes, to: descriptor) { throw failure(number) }
  }

  /// Puts it in its place. Nothing can be added afterwards.
  public func finish() throws(OutputError) {
    if isReplacing {
      // Some network file systems cannot, and then it is as good as there.
      if fsync(descriptor) != 0, errno != EINVAL, errno != ENOTSUP { throw failure(errno) }
      let neighbour = try namedNeighbour()
      guard rename(neighbour, target) == 0 else { throw failure(errno) }
      name = nil
    }
    isOpen = false
    guard close(descriptor) == 0 else { throw failure(errno) }
  }

  private func failure(_ number: Int32) -> OutputError { .refused(path: path, number: number) }

  /// A name can only be given that nobody has: the file's own comes after it, by renaming.
  private func namedNeighbour() throws(OutputError) -> String {
    if let name { return name }
    var number = EEXIST
    for _ in 0..<Self.attempts where number == EEXIST {
      let free = Self.freeName(beside: target)
      if linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, free, AT_SYMLINK_FOLLOW) == 0 {
        name = free
        return free
      }
      number = errno
    }
    throw failure(number)
  }

  private static let attempts = 16
  /// Linux's O_TMPFILE, which its header makes of two numbers in a way that Swift does not import.
  private static let unnamed = 0o20_000_000 | O_DIRECTORY

  /// A new file in the same folder, which nobody else writes to: its descriptor, and its name if it has one.
  private static func neighbour(
    of target: String, mode: mode_t, isNamed: Bool
  ) -> (descriptor: Int32, name: String?) {
    if !isNamed, access("/proc/self/fd", X_OK) == 0 {
      let descriptor = open(FileSystem.directory(of: target), O_WRONLY | O_CLOEXEC | unnamed, mode)
      if descriptor >= 0 { return (descriptor, nil) }
    }
    for _ in 0..<attempts {
      let name = freeName(beside: target)
      let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
      if descriptor >= 0 { return (descriptor, name) }
      if errno != EEXIST { break }
    }
    return (-1, nil)
  }

  private static func freeName(beside target: String) -> String {
    "\(FileSystem.directory(of: target))/.libre-\(String(UInt64.random(in: .min ... .max), radix: 16)).part"
  }

  /// Where a new file of this path belongs: links are followed, one that leads to nothing yet among them.
  private static func destination(of path: String) -> String {
    var path = FileSystem.resolved(path)
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    for _ in 0..<40 {
      let count = readlink(path, &buffer, buffer.count)
      guard count > 0 else { break }
      let link = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
      let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
      path = FileSystem.resolved(link.hasPrefix("/") ? link : folder + link)
    }
    return path
  }
}
