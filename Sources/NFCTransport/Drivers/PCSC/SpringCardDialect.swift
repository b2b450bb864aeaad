// SPDX-License-Identifier: Apache-2.0

/// The common part of SpringCard's two dialects: the name, and status words that describe the exchange on air.
protocol SpringCardDialect: ReaderDialect {}

extension SpringCardDialect {
  var name: String { "springcard" }

  func outcome(of answer: ResponseAPDU, to request: ISO15693.Request) -> DialectOutcome {
    Self.onAir(answer.status) ?? usualOutcome(of: answer, to: request)
  }

  /// Interprets `6F` followed by one of the manufacturer's error codes (read: docs.springcard.com, manual of the H663).
  /// Garbled answers (CRC, parity, bits, bytes, framing, collision, status) count as silence.
  private static func onAir(_ status: StatusWord) -> DialectOutcome? {
    let refusal: TagError
    switch status.value {
    case 0x6F01, 0x6F02, 0x6F05, 0x6F0B, 0x6F0C, 0x6F15, 0x6F18, 0x6F1F: return .silence
    case 0x6F21: refusal = .notSupported
    case 0x6F22: refusal = .formatError
    case 0x6F23: refusal = .optionNotSupported
    case 0x6F16: refusal = .blockNotAvailable
    case 0x6F06, 0x6F20, 0x6F24: refusal = .unspecified
    default: return nil
    }
    return .answer(refusal.answer)
  }
}

/// SpringCard's ENCAPSULATE: the frame goes on air unchanged (NFCTransport/ReaderDialects, "SpringCard"). Untested on
/// hardware.
struct SpringCardEncapsulate: SpringCardDialect {
  func command(for request: ISO15693.Request) -> [UInt8]? { pseudoAPDU(0xFE, 0x04, 0x00, request.frame) }
}

/// SpringCard's RFID MEMORY CONTROL, for readers without ENCAPSULATE: no patch info, no wide reads. That the count of
/// blocks is plain is derived (NFCTransport/ReaderDialects, "SpringCard"). Untested on hardware.
struct SpringCardMemoryControl: SpringCardDialect {
  func command(for request: ISO15693.Request) -> [UInt8]? {
    switch request {
    case .inventory, .patchInfo, .readWideBlock, .readWideBlocks: nil
    case .systemInformation: pseudoAPDU(0xF6, 0x2B, 0x00, [])
    case .readBlock(let block): pseudoAPDU(0xF6, 0x20, 0x00, [block])
    case .readBlocks(let run): pseudoAPDU(0xF6, 0x23, 0x00, [run.first, run.count])
    }
  }
}
