// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A regular file that only its owner may read, such as a file with a secret.
package enum PrivateFile {
  package enum Failure: Error, Hashable, Sendable {
    /// Other users may read it; its mode in octal digits, `644`.
    case tooOpen(mode: String)
    case unreadable(reason: String)
    /// It has more bytes than `limit`.
    case tooLarge
  }

  /// Returns the bytes of a file, of which there are at most `limit`. The file is opened once, so that the checked file is the one that is read.
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
