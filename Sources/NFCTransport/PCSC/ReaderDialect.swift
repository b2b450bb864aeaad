// SPDX-License-Identifier: Apache-2.0

/// How a family of PC/SC readers wants a request for the tag wrapped up, and how it hands over the answer.
///
/// Commands are made from an `ISO15693.Request` only, so that nothing but reading can be said in any dialect.
protocol ReaderDialect: Sendable {
  /// As in a reading's `reader.dialect`. Variants of one maker share it.
  var name: String { get }

  /// Commands to send before the first request; none in most dialects.
  var opening: [[UInt8]] { get }

  /// Commands to send after the last request.
  var closing: [[UInt8]] { get }

  /// Whether the reader did what a command of `opening` asks.
  func isOpened(by answer: ResponseAPDU) -> Bool

  /// The command that carries a request; nil if this dialect has none. Every dialect has one for the read of one block.
  func command(for request: ISO15693.Request) -> [UInt8]?

  /// What the answer to that command says.
  func outcome(of answer: ResponseAPDU, to request: ISO15693.Request) -> DialectOutcome
}

extension ReaderDialect {
  var opening: [[UInt8]] { [] }
  var closing: [[UInt8]] { [] }
  func isOpened(by answer: ResponseAPDU) -> Bool { true }

  func outcome(of answer: ResponseAPDU, to request: ISO15693.Request) -> DialectOutcome {
    usualOutcome(of: answer, to: request)
  }

  /// For readers that put the tag's data before the status word.
  ///
  /// Some keep the response flags in front of it, some do not, and of some that is not known
  /// (NFCTransport/ReaderDialects, "Response flags"). The length tells, unless a reader with flags dropped the last
  /// byte: that only the memory's checksums can tell. Data of any other length is never used. A run of blocks counts as
  /// refused then, since readers disagree about how its length is written, and is asked for in shorter ones.
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

  /// A command of class `FF`, which the reader keeps for itself: with data, and any length of answer.
  func pseudoAPDU(_ instruction: UInt8, _ p1: UInt8, _ p2: UInt8, _ data: [UInt8]) -> [UInt8] {
    let length = data.isEmpty ? [] : [UInt8(clamping: data.count)]
    return [0xFF, instruction, p1, p2] + length + data + [0x00]
  }
}

/// What came of asking the tag through a reader.
enum DialectOutcome: Hashable, Sendable {
  /// The tag's answer, a refusal too: response flags first, without CRC.
  case answer([UInt8])
  /// The reader says beyond doubt that the tag did not answer, or not so that it could be understood.
  case silence
  /// The reader does not know the command, or not in this form; nothing was sent to the tag.
  case unknownCommand
  /// It did not work, and the reader does not say why.
  case failure
  /// Data that cannot be an answer to the request; how many bytes.
  case malformed(length: Int)
  /// Half a block.
  case fourBytes
}
