// SPDX-License-Identifier: Apache-2.0

/// An answer of a card, or of a reader in its place: data, then the status word.
struct ResponseAPDU: Hashable, Sendable {
  let data: [UInt8]
  let status: StatusWord

  /// Parses an answer; nil if it is too short for a status word.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 2 else { return nil }
    data = Array(bytes.dropLast(2))
    status = StatusWord(bytes[bytes.count - 2], bytes[bytes.count - 1])
  }
}

/// The two bytes that end every answer of a card, or of a reader in its place (ISO 7816-4, PC/SC part 3).
struct StatusWord: Hashable, Sendable {
  let value: UInt16

  init(_ high: UInt8, _ low: UInt8) { value = UInt16(high) << 8 | UInt16(low) }

  /// Outcome of the exchange with the tag; nil if it succeeded and the data counts.
  ///
  /// | value | meaning |
  /// |---|---|
  /// | `9000`, `62xx` | done; done with a warning |
  /// | `6401` | the tag did not answer |
  /// | `6A82` | block not found; some readers return it for a tag out of reach |
  /// | `67xx`…`6Exx` | the reader does not know the command, or not in this form |
  /// | others, mostly `6300` | failed: a silent tag, a refusal or an unknown command |
  var outcome: DialectOutcome? {
    switch value {
    case 0x9000, 0x6200...0x62FF: nil
    case 0x6401: .silence
    case 0x6A82: .failure
    case 0x6700...0x6EFF: .unknownCommand
    default: .failure
    }
  }
}
