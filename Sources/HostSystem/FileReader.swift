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
  /// The length of a file; 0 for a source without length, such as a pipe.
  private let size: Int
  /// True for a regular file given by its path: it can be read again.
  package let isFile: Bool

  /// Opens the file to be read.
  ///
  /// - Throws: `isFolder`, and the operating system's error.
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

  /// Returns the next piece, of at most `wanted` bytes; nil at the end.
  ///
  /// - Throws: the operating system's error.
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
  ///
  /// - Throws: the operating system's error.
  package func next(filling count: Int) throws(InputError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count, let piece = try next(atMost: min(1 << 16, count - bytes.count)) { bytes += piece }
    return bytes
  }

  /// Returns the bytes that were read before, and all that follow.
  ///
  /// - Throws: `tooLarge` for a file of more than `limit` bytes, and for a source without length once it reaches the
  ///   limit; the operating system's error.
  package func rest(after head: [UInt8] = [], limit: Int) throws(InputError) -> [UInt8] {
    guard size <= limit else { throw .tooLarge(found: size, limit: limit) }
    var bytes = head
    while let piece = try next() {
      bytes += piece
      guard bytes.count <= limit else { throw .tooLarge(found: nil, limit: limit) }
    }
    return bytes
  }

  /// Goes to an offset of a regular file. Does nothing to other sources, which can be read only once.
  package func seek(to offset: Int) {
    if isFile { _ = lseek(descriptor, off_t(offset), SEEK_SET) }
  }
}
