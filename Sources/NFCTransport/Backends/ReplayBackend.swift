// SPDX-License-Identifier: Apache-2.0

/// Recorded conversations as readers: `replay:TRACE`.
package struct ReplayBackend: ReaderBackend {
  package let scheme = "replay"
  package let summary = "a conversation recorded with --trace"
  private let file: @Sendable (String) throws(TransportError) -> [UInt8]

  /// Creates a backend. `file` returns the bytes of the file at a path, or throws `fileUnreadable`.
  package init(file: @escaping @Sendable (String) throws(TransportError) -> [UInt8]) {
    self.file = file
  }

  /// Opens a recording.
  ///
  /// - Throws: `unknownAddress` for another backend's address, errors of reading the file, `badTrace`, `traceTooLong`.
  package func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
    guard case .replay(let path) = address else { throw .unknownAddress(address.description) }
    return ReplayingReader(try Trace(parsing: try file(path)), address: address.description)
  }
}
