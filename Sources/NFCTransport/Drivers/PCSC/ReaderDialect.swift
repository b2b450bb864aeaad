// SPDX-License-Identifier: Apache-2.0

/// A format in which PC/SC readers wrap requests and answers. Commands are made from an `ISO15693.Request` only, so
/// that no dialect can send anything except reads.
protocol ReaderDialect: Sendable {
  /// Value of a reading's `reader.dialect`. Variants of one manufacturer share it.
  var name: String { get }
  var opening: [[UInt8]] { get }
  var closing: [[UInt8]] { get }

  func isOpened(by answer: ResponseAPDU) -> Bool

  /// nil if this dialect has none. Every dialect can carry the read of one block.
  func command(for request: ISO15693.Request) -> [UInt8]?
  func outcome(of answer: ResponseAPDU, to request: ISO15693.Request) -> DialectOutcome
}

extension ReaderDialect {
  var opening: [[UInt8]] { [] }
  var closing: [[UInt8]] { [] }
  func isOpened(by answer: ResponseAPDU) -> Bool { true }

  func outcome(of answer: ResponseAPDU, to request: ISO15693.Request) -> DialectOutcome {
    usualOutcome(of: answer, to: request)
  }

  /// Interprets the answer of a reader that puts the tag's data before the status word, with response flags or without
  /// (NFCTransport/ReaderDialects, "Response flags"). The length decides, unless a reader without flags dropped the
  /// last byte: only the memory's checksums detect that. A run of blocks of another length counts as refused.
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

  /// nil if the exchange with the tag succeeded and the data counts. `6A82` means that the block was not found, but
  /// some readers return it for a tag out of reach; others, mostly `6300`, mean a silent tag, a refusal or an unknown
  /// command.
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

/// PC/SC's READ BINARY, which most readers support: one block at a time (NFCTransport/ReaderDialects, "Read binary").
/// Untested on hardware.
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

/// ACS's pass-through: the frame without its flags (NFCTransport/ReaderDialects, "ACS pass-through"). The reader does
/// the inventory itself. Untested on hardware.
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

/// Identiv's commands: the frame without its flags, with flags for custom commands, which is a guess
/// (NFCTransport/ReaderDialects, "Identiv"). Untested on hardware.
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
