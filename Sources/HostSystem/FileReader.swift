// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Inside the type below, `read` would be its own function.
private let systemRead = read

/// A file, or standard input for `-`, read in pieces.
package final class FileReader: Sendable {
  private let descriptor: Int32
  /// 0 for a source without length, such as a pipe.
  package let size: Int
  /// True for a regular file given by its path: it can be read again.
  package let isFile: Bool

  package init(_ path: String) throws(InputError) {
    descriptor = path == "-" ? STDIN_FILENO : open(path.fileName, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileSystem.reason(errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileSystem.reason(errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw .isFolder }
    size = Int(status.st_size)
    isFile = path != "-" && status.st_mode & S_IFMT == S_IFREG
  }

  deinit { if descriptor > STDIN_FILENO { close(descriptor) } }

  /// Returns the next piece; nil at the end.
  package func next(atMost wanted: Int = 1 << 16) throws(InputError) -> [UInt8]? {
    while true {
      var failure: Int32 = 0
      let piece = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
        let found = systemRead(descriptor, buffer.baseAddress, wanted)
        if found < 0 { failure = errno }
        count = max(0, found)
      }
      if failure == EINTR { continue }
      guard failure == 0 else { throw FileSystem.reason(failure) }
      return piece.isEmpty ? nil : piece
    }
  }

  /// Returns the next `count` bytes; fewer at the end.
  package func next(filling count: Int) throws(InputError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count, let piece = try next(atMost: min(1 << 16, count - bytes.count)) { bytes += piece }
    return bytes
  }

  /// Returns the bytes that were read before, and all that follow. A source without length is `tooLarge` once it reaches
  /// the limit.
  package func rest(after head: [UInt8] = [], limit: Int) throws(InputError) -> [UInt8] {
    guard size <= limit else { throw .tooLarge(found: size, limit: limit) }
    var bytes = head
    while let piece = try next() {
      bytes += piece
      guard bytes.count <= limit else { throw .tooLarge(found: nil, limit: limit) }
    }
    return bytes
  }

  /// Does nothing to a source that is not a regular file: it can be read only once.
  package func seek(to offset: Int) {
    if isFile { _ = lseek(descriptor, off_t(offset), SEEK_SET) }
  }
}

/// A regular file that only its owner may read, such as a file with a secret.
package enum PrivateFile {
  package enum Failure: Error, Hashable, Sendable {
    /// Other users may read it; its mode in octal digits, `644`.
    case tooOpen(mode: String)
    case unreadable(reason: String)
    case tooLarge
  }

  /// Opens the file once, so that the checked file is the one that is read.
  ///
  /// A credential of systemd (`LoadCredential=`) belongs to root, and an access control list lets the service's user read
  /// it. The mode shows that list as permissions of the group, 440. So these are allowed in the directory that systemd
  /// names in the environment, which no other user can enter.
  package static func read(_ path: String, limit: Int, environment: [String: String]) throws(Failure) -> [UInt8] {
    let descriptor = open(path.fileName, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadable(reason: FileSystem.text(errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable(reason: "it is not a regular file")
    }
    let isCredential = environment["CREDENTIALS_DIRECTORY"].map { !$0.isEmpty && path.hasPrefix("\($0)/") } ?? false
    guard status.st_mode & (isCredential ? 0o037 : 0o077) == 0 else {
      throw .tooOpen(mode: String(status.st_mode & 0o777, radix: 8))
    }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw .unreadable(reason: FileSystem.text(errno)) }
    guard count <= limit else { throw .tooLarge }
    return Array(bytes.prefix(count))
  }
}
