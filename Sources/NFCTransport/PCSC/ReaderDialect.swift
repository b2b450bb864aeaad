// SPDX-License-Identifier: Apache-2.0

/// A format in which a family of PC/SC readers wraps requests to the tag, and its answers.
///
/// Commands are made from an `ISO15693.Request` only, so that no dialect can send anything except reads.
protocol ReaderDialect: Sendable {
  /// Value of a reading's `reader.dialect`. Variants of one manufacturer share it.
  var name: String { get }

  /// Commands to send before the first request; empty in most dialects.
  var opening: [[UInt8]] { get }

  /// Commands to send after the last request.
  var closing: [[UInt8]] { get }

  /// Returns true if the reader did what a command of `opening` asks.
  func isOpened(by answer: ResponseAPDU) -> Bool

  /// Returns the command that carries a request; nil if this dialect has none. Every dialect can carry the read of one
  /// block.
  func command(for request: ISO15693.Request) -> [UInt8]?

  /// Interprets the answer to that command.
  func outcome(of answer: ResponseAPDU, to request: ISO15693.Request) -> DialectOutcome
}

extension ReaderDialect {
  var opening: [[UInt8]] { [] }
  var closing: [[UInt8]] { [] }
  func isOpened(by answer: ResponseAPDU) -> Bool { true }

  func outcome(of answer: ResponseAPDU, to request: ISO15693.Request) -> DialectOutcome {
    usualOutcome(of: answer, to: request)
  }

  /// Interprets the answer of a reader that puts the tag's data before the status word.
  ///
  /// Some readers keep the response flags in front of the data, some do not, and for some it is unknown
  /// (NFCTransport/ReaderDialects, "Response flags"). The length decides, unless a reader without flags dropped the
  /// last byte: only the memory's checksums detect that. Data of any other length is never used; a run of blocks then
  /// counts as refused and is read in shorter runs, because readers disagree about the format of its length.
  func usualOutcome(of answer: ResponseAPDU, to request: ISO15693.Request) -> DialectOutcome {
    if let outcome = answer.status.outcome { return outcome }
    for frame in [answer.data, [0x00] + answer.data] where frame.first ?? 0 <= 1 {
      if (try? ISO15693.Response(frame, to: request)) != nil { return .answer(frame) }
    }
    switch request {
    case .readBlock where answer.data.count == 4 || answer.data.count == 5 && answer.data[0] == 0: return .fourBytes
    case .readBlocks, .readWideBlocks: return .unknownCommand
    case .inventory, .systemInformation, .readBlock, .readWideBlock, .patchInfo:
      return .malformed(length: answer.data.count)
    }
  }

  /// Builds a command of class `FF`, which the reader handles itself: with data, and any length of answer.
  func pseudoAPDU(_ instruction: UInt8, _ p1: UInt8, _ p2: UInt8, _ data: [UInt8]) -> [UInt8] {
    let length = data.isEmpty ? [] : [UInt8(clamping: data.count)]
    return [0xFF, instruction, p1, p2] + length + data + [0x00]
  }
}

/// Result of a request to the tag through a reader.
enum DialectOutcome: Hashable, Sendable {
  /// The tag's answer or refusal: response flags first, without CRC.
  case answer([UInt8])
  /// The reader states that the tag gave no answer, or an unreadable one.
  case silence
  /// The reader does not know the command, or not in this form; nothing was sent to the tag.
  case unknownCommand
  /// It failed, and the reader gives no reason.
  case failure
  /// Data that cannot answer the request, with its length.
  case malformed(length: Int)
  /// Half a block.
  case fourBytes
}

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

/// PC/SC's READ BINARY, which most readers support: one block at a time, nothing else.
///
/// Read: HID's sample code for OMNIKEY, SpringCard's documents. Both allow a length of 0, for the whole block; some
/// readers may need 8. Length 0 is tried first: a reader that assumes blocks of four bytes then reveals itself by
/// returning four, while it might fill a length of 8 with the halves of two blocks. Untested on hardware.
struct ReadBinary: ReaderDialect {
  let name = "read-binary"
  /// Number of requested bytes; 0 for a whole block.
  let length: UInt8

  func command(for request: ISO15693.Request) -> [UInt8]? {
    switch request {
    case .readBlock(let block): [0xFF, 0xB0, 0x00, block, length]
    case .inventory, .systemInformation, .readBlocks, .patchInfo, .readWideBlock, .readWideBlocks: nil
    }
  }
}

/// ACS's pass-through: the frame without its flags; the reader adds flags and CRC. The reader does the inventory
/// itself.
///
/// Read: ACR1552U manual 5.3.8 as quoted by ST's staff, and drivers. It is not known whether the answer begins with the
/// response flags: both forms are accepted. Untested on hardware.
struct ACSPassThrough: ReaderDialect {
  let name = "acs-pass-through"

  func command(for request: ISO15693.Request) -> [UInt8]? {
    switch request {
    case .inventory: nil
    case .systemInformation, .readBlock, .readBlocks, .patchInfo, .readWideBlock, .readWideBlocks:
      pseudoAPDU(0xFB, 0x00, 0x00, Array(request.frame.dropFirst()))
    }
  }
}

/// Identiv's commands for ISO 15693 (uTrust 3720F and 3721F): the frame without its flags.
///
/// Read: the manual, pages 69 to 74. In one place it multiplies a number of blocks by four; the count is sent as on
/// air, less one, and an answer of another length is not used. Patch info and wide reads use the command for custom
/// commands, `FF FD`: 25 ms, then a frame type whose value for ISO 15693 was not found; `00` is a guess, and so is the
/// use of flags. Untested on hardware.
struct IdentivPassThrough: ReaderDialect {
  let name = "identiv"

  func command(for request: ISO15693.Request) -> [UInt8]? {
    switch request {
    case .inventory: nil
    case .systemInformation, .readBlock, .readBlocks:
      pseudoAPDU(0xFC, 0x00, 0x00, Array(request.frame.dropFirst()))
    case .patchInfo, .readWideBlock, .readWideBlocks: pseudoAPDU(0xFD, 0x05, 0x00, request.frame)
    }
  }
}
