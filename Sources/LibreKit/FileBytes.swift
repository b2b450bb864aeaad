// SPDX-License-Identifier: Apache-2.0
public import DumpFormats

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Inside the type below, the plain names are its own.
private let systemRead = read
private let systemRename = rename
private let systemWrite = write

/// Reading and writing whole files through the operating system's own calls.
public enum FileBytes {
  /// All bytes of a file, or of standard input for `-`.
  ///
  /// Never takes in more than `limit` and one byte: a file of 10 GB, a pipe without end and a device give `tooLarge` at
  /// once or at the limit.
  public static func read(_ path: String, limit: Int = DumpFile.sizeLimit) throws(LibreError) -> [UInt8] {
    var bytes: [UInt8] = []
    try forEachChunk(of: path, limit: limit) { bytes += $0 }
    return bytes
  }

  /// The first bytes of a file; nothing of what is no file, since from a pipe they would be gone.
  static func head(of path: String, count: Int) throws(LibreError) -> [UInt8] {
    guard isFile(path) else { return [] }
    var head: [UInt8] = []
    try forEachChunk(of: path, atMost: count) { head += $0 }
    return head
  }

  /// Hands on the bytes of a file, or of standard input for `-`, piece by piece.
  ///
  /// Throws `tooLarge` at once for a file over the limit, and at the limit for what has no length; else what `take`
  /// throws. `atMost` ends it there.
  static func forEachChunk(
    of path: String, limit: Int = .max, atMost: Int = .max, _ take: (ArraySlice<UInt8>) throws(LibreError) -> Void
  ) throws(LibreError) {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .input(reason(errno)) }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }

    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .input(reason(errno)) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw .input(.isFolder) }
    guard status.st_size <= limit else { throw .dump(.tooLarge(found: Int(status.st_size), limit: limit)) }

    var taken = 0
    var chunk = [UInt8](repeating: 0, count: min(atMost, 1 << 16))
    while taken < atMost {
      let wanted = min(chunk.count, atMost - taken)
      let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, wanted) }
      if count > 0 {
        taken += count
        guard taken <= limit else { throw .dump(.tooLarge(found: nil, limit: limit)) }
        try take(chunk[..<count])
      } else if count == 0 {
        return
      } else if errno != EINTR {
        throw .input(reason(errno))
      }
    }
  }

  /// When a file was last changed, in seconds since 1970; nil if that cannot be asked.
  public static func modificationTime(of path: String) -> Int64? {
    var status = stat()
    let result = path == "-" ? fstat(STDIN_FILENO, &status) : stat(path, &status)
    return result == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_mtim.tv_sec) : nil
  }

  /// Writes a whole file, or nothing, as a `Draft` does.
  public static func write(_ bytes: [UInt8], to path: String, isPrivate: Bool = false) throws(LibreError) {
    let draft = try Draft(of: path, isPrivate: isPrivate)
    try draft.append(bytes)
    try draft.finish()
  }

  /// Empties a private file, or makes it, for `append` to fill.
  public static func begin(_ path: String) throws(LibreError) {
    try spareStore(path)
    try write([], to: path, flags: O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode: 0o600, named: path)
  }

  /// Throws `output` for a file that is a store, or part of one: nobody means to write a dump over a history.
  static func spareStore(_ path: String) throws(LibreError) {
    let store = ["-wal", "-shm"].first(where: path.hasSuffix).map { String(path.dropLast($0.utf8.count)) } ?? path
    if isStore(store) { throw .output(.isStore(path: path)) }
  }

  /// True for a file of libre's own: what SQLite writes first into each of its files, and at byte 68 whose it is.
  static func isStore(_ path: String) -> Bool {
    guard let head = head(of: path, count: 72) else { return false }
    return head.starts(with: Array("SQLite format 3\0".utf8)) && head[68...].elementsEqual("LIBR".utf8)
  }

  /// The first bytes of a file; nil if it is no file or has fewer.
  private static func head(of path: String, count: Int) -> [UInt8]? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    let found = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return found == count ? bytes : nil
  }

  /// Adds to the end of a file that is there.
  public static func append(_ bytes: [UInt8], to path: String) throws(LibreError) {
    try write(bytes, to: path, flags: O_WRONLY | O_APPEND | O_CLOEXEC, named: path)
  }

  private static func write(
    _ bytes: [UInt8], to target: String, flags: Int32, mode: mode_t = 0o666, named path: String
  ) throws(LibreError) {
    let descriptor = open(target, flags, mode)
    guard descriptor >= 0 else { throw .output(.refused(path: path, number: errno)) }
    let written = writeAll(bytes, to: descriptor)
    let closed = close(descriptor) == 0 ? nil : errno
    if let failure = written ?? closed {
      throw .output(.refused(path: path, number: failure))
    }
  }

  /// Makes an empty file that only its owner can read, with its directories, unless there is one.
  ///
  /// - Throws: `LibreError.output`.
  static func makePrivate(_ path: String) throws(LibreError) {
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
      throw .output(.refused(path: path, number: errno == ENOENT ? reason ?? errno : errno))
    }
  }

  /// True if both paths lead to the same file.
  public static func isSame(_ one: String, _ other: String) -> Bool {
    exists(one) && resolved(one) == resolved(other)
  }

  /// What a path stands for once links are followed; the path itself if it does not exist.
  static func resolved(_ path: String) -> String {
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
  static func names(in folder: String) throws(LibreError) -> [String] {
    guard let stream = opendir(folder) else { throw .input(reason(errno)) }
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

  /// Removes a file. Throws `output`.
  public static func remove(_ path: String) throws(LibreError) {
    guard unlink(path) == 0 else { throw .output(.refused(path: path, number: errno)) }
  }

  /// True if there is something at this path.
  public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// True if this user may read and write it.
  static func mayUse(_ path: String) -> Bool { access(path, R_OK | W_OK) == 0 }

  public static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  static func isFile(_ path: String) -> Bool {
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

extension FileBytes {
  /// A file that is written piece by piece, and is there in full or not at all.
  ///
  /// The pieces go to a neighbour that takes the name once it is complete and on the disk. Where the file system has
  /// files without a name (Linux's O_TMPFILE), not even an interrupted program leaves one behind; elsewhere only an
  /// interruption does. A link is followed, and what is no file (a device, a pipe) is written to and never replaced.
  public final class Draft {
    /// As the user wrote it.
    private let path: String
    private let target: String
    private let descriptor: Int32
    /// False for what is no file and is written in place.
    private let isReplacing: Bool
    /// Of the neighbour; nil as long as it has none.
    private var name: String?
    private var isOpen = true

    /// A private file is one that only its owner may read: it holds what was read from a person's sensor.
    ///
    /// With `keepsMode` a file that is there may be read by whom it could be read before, and is left alone if its owner
    /// may not write to it. Throws `output`.
    public init(of path: String, isPrivate: Bool = false, keepsMode: Bool = false) throws(LibreError) {
      self.path = path
      var status = stat()
      let isThere = stat(path, &status) == 0
      guard isThere || errno == ENOENT else { throw .output(.refused(path: path, number: errno)) }
      try FileBytes.spareStore(path)
      if isThere, status.st_mode & S_IFMT != S_IFREG {
        (target, isReplacing) = (path, false)
        descriptor = open(path, O_WRONLY | O_CLOEXEC)
      } else {
        (target, isReplacing) = (FileBytes.destination(of: path), true)
        (descriptor, name) = Self.neighbour(of: target, mode: isPrivate ? 0o600 : 0o666)
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

    public func append(_ bytes: [UInt8]) throws(LibreError) {
      if let number = FileBytes.writeAll(bytes, to: descriptor) { throw failure(number) }
    }

    /// Puts it in its place. Nothing can be added afterwards.
    public func finish() throws(LibreError) {
      if isReplacing {
        // Some network file systems cannot, and then it is as good as there.
        if fsync(descriptor) != 0, errno != EINVAL, errno != ENOTSUP { throw failure(errno) }
        let neighbour = try namedNeighbour()
        guard systemRename(neighbour, target) == 0 else { throw failure(errno) }
        name = nil
      }
      isOpen = false
      guard close(descriptor) == 0 else { throw failure(errno) }
    }

    private func failure(_ number: Int32) -> LibreError { .output(.refused(path: path, number: number)) }

    /// A name can only be given that nobody has: the file's own comes after it, by renaming.
    private func namedNeighbour() throws(LibreError) -> String {
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
    private static func neighbour(of target: String, mode: mode_t) -> (descriptor: Int32, name: String?) {
      if access("/proc/self/fd", X_OK) == 0 {
        let descriptor = open(folder(of: target), O_WRONLY | O_CLOEXEC | unnamed, mode)
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
      "\(folder(of: target))/.libre-\(String(UInt64.random(in: .min ... .max), radix: 16)).part"
    }

    private static func folder(of target: String) -> String {
      guard let slash = target.lastIndex(of: "/") else { return "." }
      return slash == target.startIndex ? "/" : String(target[..<slash])
    }
  }

  /// Where a new file of this path belongs: links are followed, one that leads to nothing yet among them.
  private static func destination(of path: String) -> String {
    var path = resolved(path)
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    for _ in 0..<40 {
      let count = readlink(path, &buffer, buffer.count)
      guard count > 0 else { break }
      let link = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
      let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
      path = resolved(link.hasPrefix("/") ? link : folder + link)
    }
    return path
  }
}
