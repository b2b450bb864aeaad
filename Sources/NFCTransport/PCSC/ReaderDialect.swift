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
