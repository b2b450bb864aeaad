// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Appends lines to a file, or hands them to whoever writes standard output.
///
/// A file is created for its owner alone. What was appended is on the disk when the call returns, and an attempt that
/// fails leaves the file as it was. A last line that a crash has torn is ended first, so that it does not spoil the
/// next one.
public final class LineCourier: Sendable {
  private enum Destination: Sendable {
    case file(String)
    case writer(@Sendable ([UInt8]) throws(DeliveryError) -> Void)
  }

  private let destination: Destination
  private let thread = CourierThread("lines")

  public init(file path: String) { destination = .file(path) }

  /// `write` gets whole lines, and throws if they were not written.
  public init(write: @escaping @Sendable ([UInt8]) throws(DeliveryError) -> Void) { destination = .writer(write) }

  /// `lines` ends with a line break, or gets one. Without lines it is only tried whether the file can be written to, and
  /// nothing is changed.
  ///
  /// Throws `misdirected` for a path that cannot be written to, and `unavailable` for a disk that is full or broken, or
  /// that takes longer than `timeoutSeconds`: then the lines may be written all the same.
  public func append(_ lines: [UInt8], timeoutSeconds: Int) async throws(DeliveryError) {
    if lines.isEmpty {
      if case .file(let path) = destination { try Self.check(path) }
      return
    }
    let whole = lines.last == Self.lineBreak ? lines : lines + [Self.lineBreak]
    try await thread.perform(within: .seconds(max(1, min(timeoutSeconds, 86_400)))) {
      [destination] _ throws(DeliveryError) in
      switch destination {
      case .file(let path): try Self.append(whole, to: path)
      case .writer(let write): try write(whole)
      }
    }
  }

  private static let lineBreak = UInt8(ascii: "\n")

  private static func check(_ path: String) throws(DeliveryError) {
    let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK)
    if file >= 0 {
      defer { close(file) }
      var facts = stat()
      guard fstat(file, &facts) == 0 else { throw failure(path) }
      guard facts.st_mode & S_IFMT == S_IFREG else { throw notPlain(path) }
    } else {
      guard errno == ENOENT, access(folder(of: path), W_OK | X_OK) == 0 else { throw failure(path) }
    }
  }

  private static func notPlain(_ path: String) -> DeliveryError {
    .misdirected(reason: "\(path) is not a plain file; name another")
  }

  private static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "." }

  private static func append(_ lines: [UInt8], to path: String) throws(DeliveryError) {
    guard !path.utf8.contains(0) else { throw .misdirected(reason: "the path of the file has a NUL in it") }
    // Reading too, for the last byte; and never waiting for the other end of a pipe.
    let flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK
    var isNew = false
    var file = open(path, flags)
    if file < 0, errno == ENOENT {
      file = open(path, flags | O_CREAT, 0o600)
      isNew = true
    }
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0 else { throw failure(path) }
    guard facts.st_mode & S_IFMT == S_IFREG else { throw notPlain(path) }
    // Another process of ours may append at the same time.
    while flock(file, LOCK_EX) != 0 { if errno != EINTR { throw failure(path) } }
    guard fstat(file, &facts) == 0 else { throw failure(path) }
    do throws(DeliveryError) {
      if facts.st_size > 0, try lastByte(of: file, path, at: facts.st_size - 1) != lineBreak {
        try write([lineBreak] + lines, to: file, path)
      } else {
        try write(lines, to: file, path)
      }
      guard fsync(file) == 0 else { throw failure(path) }
      if isNew { try syncFolder(of: path) }
    } catch {
      // So that what is sent again is not there twice.
      _ = ftruncate(file, facts.st_size)
      throw error
    }
  }

  private static func lastByte(of file: Int32, _ path: String, at offset: off_t) throws(DeliveryError) -> UInt8 {
    var byte: UInt8 = 0
    guard pread(file, &byte, 1, offset) == 1 else { throw failure(path) }
    return byte
  }

  private static func write(_ bytes: [UInt8], to file: Int32, _ path: String) throws(DeliveryError) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        #if canImport(Glibc)
          Glibc.write(file, $0.baseAddress, $0.count)
        #else
          Musl.write(file, $0.baseAddress, $0.count)
        #endif
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(path) }
      written += count
    }
  }

  /// A new file's name is in its folder, which is written by itself.
  private static func syncFolder(of path: String) throws(DeliveryError) {
    let folder = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw failure(path) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw failure(path) }
  }

  /// What `errno` means for this file.
  private static func failure(_ path: String) -> DeliveryError {
    let code = errno
    let words = "\(path): \(String(cString: strerror(code)))"
    return switch code {
    case ENOENT, ENOTDIR: .misdirected(reason: "\(words); make its folder, or name another file")
    case EACCES, EPERM, EROFS, EISDIR, ELOOP, ENAMETOOLONG, ENXIO:
      .misdirected(reason: "\(words); name a file that can be written")
    default: .unavailable(reason: words)
    }
  }
}
