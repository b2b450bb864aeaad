// SPDX-License-Identifier: Apache-2.0

/// An indication of a glucose meter on the record access control point (`2A52`; Bluetooth SIG, Glucose Service 1.0, 3.4).
package enum RecordAccessResponse: Hashable, Sendable {
  /// The number of stored records.
  case count(UInt16)
  /// The end of a request, with its op code.
  case ended(opCode: UInt8, RecordAccessCode)

  /// Decodes an indication; surplus bytes are tolerated.
  ///
  /// - Throws: `tooShort`, and `unexpectedAnswer` for an op code that is not an answer.
  package init(_ bytes: [UInt8]) throws(PacketError) {
    var fields = PacketFields(bytes)
    let opCode = try fields.byte()
    _ = try fields.byte()
    switch opCode {
    case 5: self = .count(try fields.short())
    case 6: self = .ended(opCode: try fields.byte(), RecordAccessCode(rawValue: try fields.byte()))
    default: throw .unexpectedAnswer(bytes)
    }
  }
}

/// The outcome of a request to the record access control point.
package enum RecordAccessCode: Hashable, Sendable {
  case success
  case opCodeNotSupported
  case invalidOperator
  case operatorNotSupported
  case invalidOperand
  case noRecordsFound
  case abortUnsuccessful
  /// The meter broke off: a key was pressed or a strip inserted.
  case procedureNotCompleted
  case operandNotSupported
  case unknown(UInt8)

  init(rawValue: UInt8) {
    self =
      switch rawValue {
      case 1: .success
      case 2: .opCodeNotSupported
      case 3: .invalidOperator
      case 4: .operatorNotSupported
      case 5: .invalidOperand
      case 6: .noRecordsFound
      case 7: .abortUnsuccessful
      case 8: .procedureNotCompleted
      case 9: .operandNotSupported
      default: .unknown(rawValue)
      }
  }

  /// The outcome in words.
  package var text: String {
    switch self {
    case .success: "success"
    case .opCodeNotSupported: "op code not supported"
    case .invalidOperator: "invalid operator"
    case .operatorNotSupported: "operator not supported"
    case .invalidOperand: "invalid operand"
    case .noRecordsFound: "no records found"
    case .abortUnsuccessful: "abort unsuccessful"
    case .procedureNotCompleted: "procedure not completed"
    case .operandNotSupported: "operand not supported"
    case .unknown(let code): "unknown response code \(code)"
    }
  }
}
