// SPDX-License-Identifier: Apache-2.0

/// A way to reach readers: all addresses of one scheme.
public protocol ReaderBackend: Sendable {
  /// The part of an address before its colon.
  var scheme: String { get }

  /// What is reached this way, in one line of help.
  var summary: String { get }

  /// Opens the reader at `address`; no tag has to be there yet.
  ///
  /// Throws `unknownAddress` if the address is another backend's or leads nowhere, and what the way there has to say.
  func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader

  /// The readers that can be named without disturbing one: empty where only the user knows.
  ///
  /// Throws what keeps this way from being used at all: `libraryMissing`, `noDaemon`, `accessDenied`.
  func readers() async throws(TransportError) -> [FoundReader]
}

extension ReaderBackend {
  public func readers() async throws(TransportError) -> [FoundReader] { [] }
}
