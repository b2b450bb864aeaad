// SPDX-License-Identifier: Apache-2.0

/// A way to reach readers: handles all addresses of one scheme.
package protocol ReaderBackend: Sendable {
  /// Part of an address before its colon.
  var scheme: String { get }

  /// One line of help about the readers of this scheme.
  var summary: String { get }

  /// Opens the reader at `address`; a tag need not be present yet.
  ///
  /// - Throws: `unknownAddress` if the address belongs to another backend or leads nowhere; errors of the driver.
  func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader

  /// Lists the readers that can be found without disturbing any of them; empty if only the user can know the address.
  ///
  /// - Throws: The reason why this backend cannot be used at all: `libraryMissing`, `noDaemon`, `accessDenied`.
  func readers() async throws(TransportError) -> [FoundReader]

  /// Lists the readers, now and whenever they may have changed.
  func changes() -> ReaderChanges
}

extension ReaderBackend {
  package func readers() async throws(TransportError) -> [FoundReader] { [] }
}
