// SPDX-License-Identifier: Apache-2.0
import HostSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Appends lines to a file, or hands them to whoever writes standard output.
///
/// A file is written as a `LineFile`: what was appended is on the disk when the call returns, or not in the file at all.
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
    case .notPlain: return .misdirected(reason: "\(path) is not a plain file; name another")
    case .pathHasNUL: return .misdirected(reason: "the path of the file has a NUL in it")
    case .refused(let number):
      let words = "\(path): \(FileSystem.text(number))"
      return switch number {
      case ENOENT, ENOTDIR: .misdirected(reason: "\(words); make its folder, or name another file")
      case EACCES, EPERM, EROFS, EISDIR, ELOOP, ENAMETOOLONG, ENXIO:
        .misdirected(reason: "\(words); name a file that can be written")
      default: .unavailable(reason: words)
      }
    }
  }
}
