// SPDX-License-Identifier: Apache-2.0

/// The common part of SpringCard's two dialects: the name, and status words that describe the exchange on air.
protocol SpringCardDialect: ReaderDialect {}

extension SpringCardDialect {
  var name: String { "springcard" }

  func outcome(of answer: ResponseAPDU, to request: ISO15693.Request) -> DialectOutcome {
    Self.onAir(answer.status) ?? usualOutcome(of: answer, to: request)
  }

  /// Interprets `6F` followed by one of the manufacturer's error codes (read: docs.springcard.com, manual of the H663).
  ///
  /// | code | meaning |
  /// |---|---|
  /// | `01` | no answer |
  /// | `02` `05` `0B` `0C` `15` `18` `1F` | CRC, parity, bits, bytes, framing, collision, status: garbled |
  /// | `21` `22` `23`, `16` | the tag does not know the command, the form, the option; has no such block |
  /// | `06` `20` `24` | the tag refused otherwise |
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

/// SpringCard's ENCAPSULATE: the frame goes on air unchanged, the reader adds the CRC.
///
/// Read: docs.springcard.com, for frames that contain the UID. Derived: a frame to any tag passes too, and the answer
/// begins with the response flags. Remembered: P2 `00` is the usual timeout. Untested on hardware.
struct SpringCardEncapsulate: SpringCardDialect {
  func command(for request: ISO15693.Request) -> [UInt8]? { pseudoAPDU(0xFE, 0x04, 0x00, request.frame) }
}

/// SpringCard's RFID MEMORY CONTROL, for readers without ENCAPSULATE. It cannot carry custom commands: no patch info,
/// no wide reads.
///
/// Read: docs.springcard.com and the manual of the H663. Derived: the count of blocks is plain, not less one as on air;
/// a reader that counts otherwise returns another length, which is not used. Untested on hardware.
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
