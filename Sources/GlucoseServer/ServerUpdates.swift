// SPDX-License-Identifier: Apache-2.0

/// Keeps an answer open after its body: the bytes that are sent for each change of the store, until the client leaves
/// or the server ends.
package struct ServerUpdates: Sendable {
  /// Sent when nothing else was sent for 20 seconds, so that a client that has left is noticed.
  package let keepAlive: [UInt8]
  /// The bytes for a change from one snapshot to a newer one; empty for a change that does not concern the client.
  ///
  /// The first call has the snapshot that the answer was made from as `previous`. A client that reads slowly skips
  /// snapshots: `previous` is always the one of the call before.
  package let bytes: @Sendable (_ previous: ServerSnapshot, _ newest: ServerSnapshot) -> [UInt8]

  package init(
    keepAlive: [UInt8],
    bytes: @escaping @Sendable (_ previous: ServerSnapshot, _ newest: ServerSnapshot) -> [UInt8]
  ) {
    self.keepAlive = keepAlive
    self.bytes = bytes
  }
}
