// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// Appends lines to a file as a `LineFile`, or passes them to the writer of standard output.
package final class LineCourier: Sendable {
  private let write: @Sendable ([UInt8]) throws(Verdict) -> Void
  private let thread = CourierThread("lines")

  package init(file path: String) { write = { lines throws(Verdict) in try Self.write(lines, to: path) } }

  /// `write` receives whole lines, and throws if they were not written.
  package init(write: @escaping @Sendable ([UInt8]) throws(Verdict) -> Void) {
    self.write = { lines throws(Verdict) in if !lines.isEmpty { try write(lines) } }
  }

  /// Appends `lines`, and a line break if it is missing. Without lines it only checks that the file is writable.
  /// - Throws: `misdirected` for a path that is not writable, and `unavailable` for a full or defective disk, or after
  /// the timeout: then the lines may still be written.
  package func append(_ lines: [UInt8], timeoutSeconds: Int) async throws(Verdict) {
    if lines.isEmpty { return try write([]) }
    let whole = lines.last == UInt8(ascii: "\n") ? lines : lines + [UInt8(ascii: "\n")]
    try await thread.perform(within: .seconds(max(1, min(timeoutSeconds, 86_400)))) {
      [write] _ throws(Verdict) in try write(whole)
    }
  }

  private static func write(_ lines: [UInt8], to path: String) throws(Verdict) {
    do throws(LineFile.Failure) {
      if lines.isEmpty { try LineFile.check(path) } else { try LineFile.append(lines, to: path) }
    } catch {
      let words = error.words(path)
      throw error.isOfPath ? .misdirected(reason: words) : .unavailable(reason: words)
    }
  }
}
