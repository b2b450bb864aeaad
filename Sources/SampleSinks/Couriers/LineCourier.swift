// SPDX-License-Identifier: Apache-2.0
import HostSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Appends lines to a file, or passes them to the writer of standard output.
///
/// A file is written as a `LineFile`: appended lines are on disk when the call returns, or not in the file at all.
package final class LineCourier: Sendable {
  private enum Destination: Sendable {
    case file(String)
    case writer(@Sendable ([UInt8]) throws(DeliveryError) -> Void)
  }

  private let destination: Destination
  private let thread = CourierThread("lines")

  package init(file path: String) { destination = .file(path) }

  /// Creates a courier. `write` receives whole lines, and throws if they were not written.
  package init(write: @escaping @Sendable ([UInt8]) throws(DeliveryError) -> Void) { destination = .writer(write) }

  /// Appends `lines`, and a line break if it is missing. Without lines it only checks that the file is writable, and
  /// changes nothing.
  ///
  /// - Throws: `misdirected` for a path that is not writable, and `unavailable` for a full or defective disk, or after
  /// `timeoutSeconds`: then the lines may still be written.
  package func append(_ lines: [UInt8], timeoutSeconds: Int) async throws(DeliveryError) {
    if lines.isEmpty {
      if case .file(let path) = destination {
        try Self.writing(path) { () throws(LineFile.Failure) in try LineFile.check(path) }
      }
      return
    }
    let whole = lines.last == Self.lineBreak ? lines : lines + [Self.lineBreak]
    try await thread.perform(within: .seconds(max(1, min(timeoutSeconds, 86_400)))) {
      [destination] _ throws(DeliveryError) in
      switch destination {
      case .file(let path):
        try Self.writing(path) { () throws(LineFile.Failure) in try LineFile.append(whole, to: path) }
      case .writer(let write): try write(whole)
      }
    }
  }

  private static let lineBreak = UInt8(ascii: "\n")

  private static func writing(
    _ path: String, _ work: () throws(LineFile.Failure) -> Void
  ) throws(DeliveryError) {
    do throws(LineFile.Failure) {
      try work()
    } catch {
      throw failure(error, path)
    }
  }

  private static func failure(_ failure: LineFile.Failure, _ path: String) -> DeliveryError {
    switch failure {
    case .notPlain: return .misdirected(reason: "\(path) is not a regular file; choose another file")
    case .pathHasNUL: return .misdirected(reason: "the path of the file contains a NUL")
    case .refused(let number):
      let words = "\(path): \(FileSystem.text(number))"
      return switch number {
      case ENOENT, ENOTDIR: .misdirected(reason: "\(words); create its folder, or choose another file")
      case EACCES, EPERM, EROFS, EISDIR, ELOOP, ENAMETOOLONG, ENXIO:
        .misdirected(reason: "\(words); choose a writable file")
      default: .unavailable(reason: words)
      }
    }
  }
}
