// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// Appends lines to a file as a `LineFile`, or passes them to the writer of standard output.
package final class LineCourier: Sendable {
  private enum Destination: Sendable {
    case file(String)
    case writer(@Sendable ([UInt8]) throws(DeliveryError) -> Void)
  }

  private let destination: Destination
  private let thread = CourierThread("lines")
  package init(file path: String) { destination = .file(path) }

  /// `write` receives whole lines, and throws if they were not written.
  package init(write: @escaping @Sendable ([UInt8]) throws(DeliveryError) -> Void) { destination = .writer(write) }

  /// Appends `lines`, and a line break if it is missing. Without lines it only checks that the file is writable.
  /// - Throws: `misdirected` for a path that is not writable, and `unavailable` for a full or defective disk, or after
  /// the timeout: then the lines may still be written.
  package func append(_ lines: [UInt8], timeoutSeconds: Int) async throws(DeliveryError) {
    if lines.isEmpty {
      if case .file(let path) = destination { try Self.write(nil, to: path) }
      return
    }
    let whole = lines.last == UInt8(ascii: "\n") ? lines : lines + [UInt8(ascii: "\n")]
    try await thread.perform(within: .seconds(max(1, min(timeoutSeconds, 86_400)))) {
      [destination] _ throws(DeliveryError) in
      switch destination {
      case .file(let path): try Self.write(whole, to: path)
      case .writer(let write): try write(whole)
      }
    }
  }

  /// Appends lines; nil only checks.
  private static func write(_ lines: [UInt8]?, to path: String) throws(DeliveryError) {
    do throws(LineFile.Failure) {
      if let lines { try LineFile.append(lines, to: path) } else { try LineFile.check(path) }
    } catch {
      let words = error.words(path)
      throw error.isOfPath ? .misdirected(reason: words) : .unavailable(reason: words)
    }
  }
}
