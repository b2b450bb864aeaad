// SPDX-License-Identifier: Apache-2.0

/// An answer of a card, or of a reader in its place: data, then the status word.
struct ResponseAPDU: Hashable, Sendable {
  let data: [UInt8]
  let status: StatusWord

  /// nil if it is too short to hold a status word.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 2 else { return nil }
    data = Array(bytes.dropLast(2))
    status = StatusWord(bytes[bytes.count - 2], bytes[bytes.count - 1])
  }
}
