// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Inside the type below, the plain name would be its own.
private let systemRead = read

/// A file, or standard input for `-`, that is read piece by piece.
public final class FileReader {
  private let descriptor: Int32
  private let limit: Int
  private let end: Int
  private var taken = 0

  /// Opens the file to be read. `atMost` bytes of it are given, and nothing says that there are more.
  ///
  /// - Throws: `tooLarge` for a file of more than `limit` bytes, `isFolder`, and what the operating system says.
  public init(_ path: String, limit: Int = .max, atMost end: Int = .max) throws(InputError) {
    self.limit = limit
    self.end = end
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileSystem.reason(errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileSystem.reason(errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw .isFolder }
    guard status.st_size <= limit else { throw .tooLarge(found: Int(status.st_size), limit: limit) }
  }

  deinit { if descriptor > STDIN_FILENO { close(descriptor) } }

  /// The next piece; nil at the end.
  ///
  /// - Throws: `tooLarge` at the limit of what has no length, and what the operating system says.
  public func next() throws(InputError) -> [UInt8]? {
    let wanted = min(1 << 16, end - taken)
    guard wanted > 0 else { return nil }
    while true {
      var failure: Int32 = 0
      let piece = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
        let found = systemRead(descriptor, buffer.baseAddress, wanted)
        if found < 0 { failure = errno }
        count = max(0, found)
      }
      if failure == EINTR { continue }
      guard failure == 0 else { throw FileSystem.reason(failure) }
      taken += piece.count
      guard taken <= limit else { throw .tooLarge(found: nil, limit: limit) }
      return piece.isEmpty ? nil : piece
    }
  }
}
