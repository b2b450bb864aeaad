// SPDX-License-Identifier: Apache-2.0

/// Reason why a tag refused a request: the code it sent (ISO 15693-3; custom range read: DiaBLE).
public enum TagError: Error, Hashable, Sendable {
  /// 01: unknown command.
  case notSupported
  /// 02: frame not understood.
  case formatError
  /// 03: unknown option.
  case optionNotSupported
  /// 0F: no reason given.
  case unspecified
  /// 10: the block does not exist, or is hidden.
  case blockNotAvailable
  /// 11.
  case alreadyLocked
  /// 12.
  case locked
  /// 13.
  case writeFailed
  /// 14.
  case lockFailed
  /// A0…DF: defined by the manufacturer.
  case custom(UInt8)
  /// An undocumented code.
  case unknown(UInt8)

  /// The reason of a code; every code has one.
  public init(code: UInt8) {
    let documented: [TagError] = [
      .notSupported, .formatError, .optionNotSupported, .unspecified, .blockNotAvailable, .alreadyLocked, .locked,
      .writeFailed, .lockFailed,
    ]
    self = documented.first { $0.code == code } ?? ((0xA0...0xDF).contains(code) ? .custom(code) : .unknown(code))
  }

  /// The code that the tag sends.
  public var code: UInt8 {
    switch self {
    case .notSupported: 0x01
    case .formatError: 0x02
    case .optionNotSupported: 0x03
    case .unspecified: 0x0F
    case .blockNotAvailable: 0x10
    case .alreadyLocked: 0x11
    case .locked: 0x12
    case .writeFailed: 0x13
    case .lockFailed: 0x14
    case .custom(let code), .unknown(let code): code
    }
  }

  /// The answer of a tag that refuses a request for this reason: response flags first, without CRC.
  public var answer: [UInt8] { [0x01, code] }
}
