// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Inside the type below, the plain names are its own.
private let systemWrite = write

/// Reading and writing whole files through the operating system's own calls.
public enum FileSystem {
  /// All bytes of a file, or of standard input for `-`.
  ///
  /// Never takes in more than `limit` and one byte: a file of 10 GB, a pipe without end and a device give `tooLarge` at
  /// once or at the limit.
  public static func read(_ path: String, limit: Int) throws(InputError) -> [UInt8] {
    try FileReader(path).rest(limit: limit)
  }

  /// The first bytes of a file, `count` at most; none of anything but a regular file, since from a pipe they would be gone.
  public static func head(of path: String, count: Int) throws(InputError) -> [UInt8] {
    guard isFile(path) else { return [] }
    return try FileReader(path).next(filling: count)
  }

  /// When a file was last changed, in seconds since 1970; nil if that cannot be asked.
  public static func modificationTime(of path: String) -> Int64? {
    var status = stat()
    let result = path == "-" ? fstat(STDIN_FILENO, &status) : stat(path, &status)
    return result == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_mtim.tv_sec) : nil
  }

  /// Writes a whole file, or nothing, as an `AtomicFile` does.
  public static func write(_ bytes: [UInt8], to path: String, isPrivate: Bool = false) throws(OutputError) {
    let draft = try AtomicFile(path, isPrivate: isPrivate)
    try draft.append(bytes)
    try draft.finish()
  }

  /// Empties a private file, or makes it, for `append` to fill.
  public static func begin(_ path: String) throws(OutputError) {
    try spareStore(path)
    try write([], to: path, flags: O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode: 0o600, named: path)
  }

  /// Throws `output` for a file that is a store, or part of one: nobody means to write a dump over a history.
  public static func spareStore(_ path: String) throws(OutputError) {
    let store = ["-wal", "-shm"].first(where: path.hasSuffix).map { String(path.dropLast($0.utf8.count)) } ?? path
    if isStore(store) { throw .isStore(path: path) }
  }

  /// True for a file of libre's own.
  static func isStore(_ path: String) -> Bool { (try? head(of: path, count: 72)).map(isStore(beginning:)) ?? false }

  /// True for the first bytes of a file of libre's own: what SQLite writes first into each of its files, and at byte 68
  /// whose it is.
  public static func isStore(beginning head: [UInt8]) -> Bool {
    head.starts(with: Array("SQLite format 3\0".utf8)) && head.dropFirst(68).starts(with: "LIBR".utf8)
  }

  /// Adds to the end of a file that is there.
  public static func append(_ bytes: [UInt8], to path: String) throws(OutputError) {
    try write(bytes, to: path, flags: O_WRONLY | O_APPEND | O_CLOEXEC, named: path)
  }

  private static func write(
    _ bytes: [UInt8], to target: String, flags: Int32, mode: mode_t = 0o666, named path: String
  ) throws(OutputError) {
    let descriptor = open(target, flags, mode)
    guard descriptor >= 0 else { throw .refused(path: path, number: errno) }
    let written = writeAll(bytes, to: descriptor)
    let closed = close(descriptor) == 0 ? nil : errno
    if let failure = written ?? closed {
      throw .refused(path: path, number: failure)
    }
  }

  /// Makes an empty file that only its owner can read, with its directories, unless there is one.
  ///
  /// - Throws: `refused`.
  public static func makePrivate(_ path: String) throws(OutputError) {
    let folders = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    // Why there is no folder, if there is none.
    var reason: Int32?
    for count in folders.indices.dropFirst(path.hasPrefix("/") ? 1 : 0) {
      // Those that are there are left alone, whoever owns them.
      let isMade = mkdir(folders[...count].joined(separator: "/"), 0o700) == 0
      if !isMade, errno != EEXIST { reason = reason ?? errno }
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw .refused(path: path, number: errno == ENOENT ? reason ?? errno : errno)
    }
  }

  /// True if both paths lead to the same file.
  public static func isSame(_ one: String, _ other: String) -> Bool {
    exists(one) && resolved(one) == resolved(other)
  }

  /// What a path stands for once links are followed; the path itself if it does not exist.
  public static func resolved(_ path: String) -> String {
    guard let name = realpath(path, nil) else { return path }
    defer { free(name) }
    return String(cString: name)
  }

  /// Writes all bytes to an open file; the error number if that failed.
  public static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        start += count
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }

  /// The names in a folder, hidden ones left out, in no order.
  public static func names(in folder: String) throws(InputError) -> [String] {
    guard let stream = opendir(folder) else { throw reason(errno) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = String(decoding: self.name(of: entry), as: UTF8.self)
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  /// The name in an entry of a folder. Its record ends with it: the whole field of the C structure may reach beyond.
  static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
    let start = UnsafeRawPointer(entry) + offset
    return Array(UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self))))
  }

  /// The path from the root on, whatever folder it is used from later.
  public static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path)"
  }

  /// The directory that a path names a file in.
  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Removes a file. Throws `output`.
  public static func remove(_ path: String) throws(OutputError) {
    guard unlink(path) == 0 else { throw .refused(path: path, number: errno) }
  }

  /// True if there is something at this path.
  public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// True if this user may read and write it.
  public static func mayUse(_ path: String) -> Bool { access(path, R_OK | W_OK) == 0 }

  public static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  public static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The operating system's words for an error number.
  public static func text(_ number: Int32) -> String { String(cString: strerror(number)) }

  static func reason(_ number: Int32) -> InputError {
    switch number {
    case ENOENT, ENOTDIR: .notFound
    case EACCES, EPERM: .permissionDenied
    case EISDIR: .isFolder
    default: .unreadable(text(number))
    }
  }
}
