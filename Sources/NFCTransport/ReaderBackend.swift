// SPDX-License-Identifier: Apache-2.0

/// A way to reach readers: all addresses of one scheme.
public protocol ReaderBackend: Sendable {
  /// The part of an address before its colon.
  var scheme: String { get }

  /// Opens the reader at `address`.
  ///
  /// Throws `unknownAddress` if the address is another backend's or leads nowhere, and what the way there has to say.
  func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader
}
