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

/// The two bytes that end every answer of a card, or of a reader in its place (ISO 7816-4, PC/SC part 3).
struct StatusWord: Hashable, Sendable {
  let value: UInt16

  init(_ high: UInt8, _ low: UInt8) { value = UInt16(high) << 8 | UInt16(low) }

  /// What it says of an exchange with the tag; nil if that went well and the data counts.
  ///
  /// | value | meaning |
  /// |---|---|
  /// | `9000`, `62xx` | done; done with a warning |
  /// | `6401` | the tag did not answer |
  /// | `6A82` | there is no such block; some say so for a tag that is out of reach |
  /// | `67xx`…`6Exx` | the reader does not know the command, or not in this form |
  /// | others, `6300` above all | it failed; readers say so for a silent tag, a refusal and an unknown command alike |
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
