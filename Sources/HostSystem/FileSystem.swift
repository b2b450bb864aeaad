// SPDX-License-Identifier: Apache-2.0
import TextFormats

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Inside the type below, the plain names would be its own functions.
private let systemWrite = write
private let systemRename = rename

/// Reading and writing whole files through the operating system's own calls.
package enum FileSystem {
  /// Reads a whole file, or standard input for `-`. A file of 10 GB, an endless pipe and a device give `tooLarge` at once
  /// or at the limit.
  package static func read(_ path: String, limit: Int) throws(InputError) -> [UInt8] {
    try FileReader(path).rest(limit: limit)
  }

  /// Returns the first bytes of a regular file; nothing of any other, because bytes read from a pipe are lost.
  package static func head(of path: String, count: Int) throws(InputError) -> [UInt8] {
    guard isFile(path) else { return [] }
    return try FileReader(path).next(filling: count)
  }

  /// Seconds since 1970; nil for anything but a regular file.
  package static func modificationTime(of path: String) -> Int64? {
    var status = stat()
    let result = path == "-" ? fstat(STDIN_FILENO, &status) : stat(path.fileName, &status)
    return result == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_mtim.tv_sec) : nil
  }

  /// Writes a whole file, or nothing, as an `AtomicFile` does.
  package static func write(_ bytes: [UInt8], to path: String, isPrivate: Bool = false) throws(OutputError) {
    let draft = try AtomicFile(path, isPrivate: isPrivate)
    try draft.append(bytes)
    try draft.finish()
  }

  /// Replaces a file by an empty one that only its owner can read, or creates it, so that `append` can fill it. Programs
  /// that have the old file open do not see the new one.
  package static func begin(_ path: String) throws(OutputError) { try write([], to: path, isPrivate: true) }

  /// Checks that a file is not a store or part of one, so that a dump is never written over a history.
  package static func checkIsNotStore(_ path: String) throws(OutputError) {
    let store = ["-wal", "-shm"].first(where: path.hasSuffix).map { String(path.dropLast($0.utf8.count)) } ?? path
    if (try? head(of: store, count: 72)).map(isStore(beginning:)) ?? false { throw .isStore(path: path) }
  }

  /// True for the first bytes of a store of libre: SQLite's signature, and libre's application id at byte 68.
  package static func isStore(beginning head: [UInt8]) -> Bool {
    head.starts(with: Array("SQLite format 3\0".utf8)) && head.dropFirst(68).starts(with: "LIBR".utf8)
  }

  /// Appends to an existing file.
  package static func append(_ bytes: [UInt8], to path: String) throws(OutputError) {
    let descriptor = open(path.fileName, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard descriptor >= 0 else { throw .refused(path: path, number: errno) }
    let written = writeAll(bytes, to: descriptor)
    let closed = close(descriptor) == 0 ? nil : errno
    if let failure = written ?? closed { throw .refused(path: path, number: failure) }
  }

  /// Creates an empty file that only its owner can read, with its directories, unless it exists.
  package static func makePrivate(_ path: String) throws(OutputError) {
    let directories = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    // The reason why a directory is missing.
    var reason: Int32?
    for count in directories.indices.dropFirst(path.hasPrefix("/") ? 1 : 0) {
      // Existing directories are not changed, whoever owns them.
      let isMade = mkdir(directories[...count].joined(separator: "/").fileName, 0o700) == 0
      if !isMade, errno != EEXIST { reason = reason ?? errno }
    }
    let descriptor = open(path.fileName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw .refused(path: path, number: errno == ENOENT ? reason ?? errno : errno)
    }
  }

  /// True if both paths lead to the same file.
  package static func isSame(_ one: String, _ other: String) -> Bool { exists(one) && resolved(one) == resolved(other) }

  /// Returns the path with all links resolved; the path itself if it does not exist.
  package static func resolved(_ path: String) -> String {
    guard let name = realpath(path.fileName, nil) else { return path }
    defer { free(name) }
    return String(fileName: name)
  }

  /// Writes all bytes to an open file; returns the error number if that failed.
  package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return errno }
      start += max(0, count)
    }
    return nil
  }

  /// Returns the names in a directory, without hidden ones, in any order.
  package static func names(in directory: String) throws(InputError) -> [String] {
    try allNames(in: directory).filter { !$0.hasPrefix(".") }
  }

  /// Empty if the directory cannot be listed.
  package static func sortedNames(in directory: String) -> [String] { ((try? names(in: directory)) ?? []).sorted() }

  /// Returns the first line of a small file, such as the kernel keeps; nil if it cannot be read.
  package static func firstLine(of path: String) -> String? {
    (try? read(path, limit: 1 << 16)).map { String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self) }
  }

  private static func allNames(in directory: String) throws(InputError) -> [String] {
    guard let stream = opendir(directory.fileName) else { throw reason(errno) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = FileNameText.text(of: self.name(of: entry))
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Returns the name in a directory entry. The record ends after the name: the whole C field may reach beyond it.
  static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
    let start = UnsafeRawPointer(entry) + offset
    return Array(UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self))))
  }

  /// Returns the path from the root, which is valid in every working directory.
  package static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let directory = getcwd(nil, 0) else { return path }
    defer { free(directory) }
    return "\(String(fileName: directory))/\(path)"
  }

  package static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Removes a file.
  package static func remove(_ path: String) throws(OutputError) {
    guard unlink(path.fileName) == 0 else { throw .refused(path: path, number: errno) }
  }

  /// Gives a file or a directory another path in the same file system.
  package static func rename(_ path: String, to other: String) throws(OutputError) {
    // The system's call would replace an empty directory.
    if exists(other) { throw .refused(path: other, number: EEXIST) }
    guard systemRename(path.fileName, other.fileName) == 0 else { throw .refused(path: path, number: errno) }
  }

  /// Keeps a file that is about to be replaced under another name. Where a file cannot have two names it is gone from its
  /// own until then.
  package static func keep(_ path: String, as other: String) throws(OutputError) {
    if link(path.fileName, other.fileName) != 0 { try rename(path, to: other) }
  }

  /// Removes a directory with everything in it; links are removed, and not followed.
  package static func removeFolder(_ path: String) throws(OutputError) {
    guard let names = try? allNames(in: path) else { throw .refused(path: path, number: errno) }
    for entry in names.map({ "\(path)/\($0)" }) {
      if kind(of: entry, followingLinks: false) == S_IFDIR { try removeFolder(entry) } else { try remove(entry) }
    }
    guard rmdir(path.fileName) == 0 else { throw .refused(path: path, number: errno) }
  }

  package static func exists(_ path: String) -> Bool { access(path.fileName, F_OK) == 0 }

  /// True if this user may read and write it.
  package static func mayUse(_ path: String) -> Bool { access(path.fileName, R_OK | W_OK) == 0 }

  /// True if every user of the machine may write it.
  package static func isExposed(_ path: String) -> Bool { mode(of: path).map { $0 & S_IWOTH != 0 } ?? false }

  package static func isFolder(_ path: String) -> Bool { kind(of: path) == S_IFDIR }

  package static func isFile(_ path: String) -> Bool { kind(of: path) == S_IFREG }

  /// True for a pipe that has a name. Opening it waits for another program.
  package static func isNamedPipe(_ path: String) -> Bool { kind(of: path, followingLinks: false) == S_IFIFO }

  /// One of the constants `S_IFREG` and so on; nil if it does not exist.
  static func kind(of path: String, followingLinks: Bool = true) -> mode_t? {
    mode(of: path, followingLinks: followingLinks).map { $0 & S_IFMT }
  }

  /// True for a directory in which the kernel shows itself: its files may have no end, or wait.
  static func isOfKernel(_ directory: String) -> Bool {
    ["/proc", "/sys"].contains { directory.hasSuffix($0) && resolved(directory) == $0 }
  }

  private static func mode(of path: String, followingLinks: Bool = true) -> mode_t? {
    var status = stat()
    let result = followingLinks ? stat(path.fileName, &status) : lstat(path.fileName, &status)
    return result == 0 ? status.st_mode : nil
  }

  package static func text(_ number: Int32) -> String { String(cString: strerror(number)) }

  static func reason(_ number: Int32) -> InputError {
    switch number {
    case ENOENT, ENOTDIR: .notFound
    case EACCES, EPERM: .permissionDenied
    case EISDIR: .isFolder
    default: .unreadable(text(number))
    }
  }
}

extension String {
  /// The path as the operating system gets it: bytes that end with zero, also of names that are not UTF-8.
  var fileName: [CChar] { FileNameText.bytes(of: self).map { CChar(bitPattern: $0) } + [0] }

  /// The path that the operating system gives.
  init(fileName: UnsafePointer<CChar>) {
    self = FileNameText.text(of: UnsafeRawBufferPointer(start: fileName, count: strlen(fileName)))
  }
}
