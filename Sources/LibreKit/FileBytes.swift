// SPDX-License-Identifier: Apache-2.0
import DumpFormats

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Inside the type below, the plain names are its own.
private let systemRead = read
private let systemWrite = write

/// Reading and writing whole files through the operating system's own calls.
public enum FileBytes {
  /// All bytes of a file, or of standard input for `-`.
  ///
  /// Never takes in more than `DumpDetector.sizeLimit` and one byte: a file of 10 GB, a pipe without end and a device give
  /// `tooLarge` at once or at the limit.
  public static func read(_ path: String) throws(LibreError) -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .input(reason(errno)) }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }

    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .input(reason(errno)) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw .input(.isFolder) }
    let limit = DumpDetector.sizeLimit
    guard status.st_size <= limit else { throw .dump(.tooLarge(found: Int(status.st_size), limit: limit)) }

    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        bytes += chunk[..<count]
      } else if count == 0 {
        return bytes
      } else if errno != EINTR {
        throw .input(reason(errno))
      }
    }
    throw .dump(.tooLarge(found: nil, limit: limit))
  }

  /// When a file was last changed, in seconds since 1970; nil if that cannot be asked.
  public static func modificationTime(of path: String) -> Int64? {
    var status = stat()
    let result = path == "-" ? fstat(STDIN_FILENO, &status) : stat(path, &status)
    return result == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_mtim.tv_sec) : nil
  }

  /// Writes a whole file, or nothing: the bytes go to a neighbour that takes the name once it is complete.
  ///
  /// A link is followed, and what is no file (a device, a pipe) is written to and never replaced.
  public static func write(_ bytes: [UInt8], to path: String) throws(LibreError) {
    let target = resolved(path)
    guard isFileOrNothing(target) else { return try write(bytes, to: target, flags: O_WRONLY | O_CLOEXEC, named: path) }
    let temporary = "\(target).\(getpid()).tmp"
    do throws(LibreError) {
      try write(bytes, to: temporary, flags: O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, named: path)
      guard rename(temporary, target) == 0 else { throw .output(path: path, reason: text(errno)) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private static func write(_ bytes: [UInt8], to target: String, flags: Int32, named path: String) throws(LibreError) {
    let descriptor = open(target, flags, 0o666)
    guard descriptor >= 0 else { throw .output(path: path, reason: text(errno)) }
    if let failure = writeAll(bytes, to: descriptor) ?? (close(descriptor) == 0 ? nil : errno) {
      throw .output(path: path, reason: text(failure))
    }
  }

  /// What a path stands for once links are followed; the path itself if it does not exist.
  private static func resolved(_ path: String) -> String {
    guard let name = realpath(path, nil) else { return path }
    defer { free(name) }
    return String(cString: name)
  }

  private static func isFileOrNothing(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
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

  /// The files below a folder, in the order of their paths; hidden ones and other folders' links are left out.
  public static func files(below folder: String) throws(LibreError) -> [String] {
    try unsortedFiles(below: folder).sorted()
  }

  private static func unsortedFiles(below folder: String) throws(LibreError) -> [String] {
    guard let stream = opendir(folder) else { throw .input(reason(errno)) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") { names.append(name) }
    }
    var files: [String] = []
    for name in names {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      if isFolder(path) {
        if !isLink(path) { files += try unsortedFiles(below: path) }
      } else {
        files.append(path)
      }
    }
    return files
  }

  public static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// The operating system's words for an error number.
  public static func text(_ number: Int32) -> String { String(cString: strerror(number)) }

  private static func reason(_ number: Int32) -> InputError {
    switch number {
    case ENOENT, ENOTDIR: .notFound
    case EACCES, EPERM: .permissionDenied
    case EISDIR: .isFolder
    default: .unreadable(text(number))
    }
  }
}
