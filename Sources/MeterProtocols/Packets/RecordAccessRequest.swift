// SPDX-License-Identifier: Apache-2.0

/// The requests that are sent to the record access control point (`2A52`) of a glucose meter.
///
/// Every meter has to support all four (Bluetooth SIG, Glucose Service 1.0, 3.4). Deleting (op code 2) and all other
/// operators cannot be expressed.
package enum RecordAccessRequest: Hashable, Sendable {
  /// Asks for the number of stored records.
  case countAll
  /// Asks for all stored records, oldest first.
  case reportAll
  /// Asks for the records from this sequence number on, this one included.
  case report(from: UInt16)
  /// Ends a transfer that is under way.
  case abort

  /// The bytes that are written: op code, operator, and for a sequence number the filter type 1 and the number, least
  /// significant byte first.
  package var bytes: [UInt8] {
    switch self {
    case .countAll: [4, 1]
    case .reportAll: [1, 1]
    case .report(let first): [1, 3, 1, UInt8(truncatingIfNeeded: first), UInt8(truncatingIfNeeded: first >> 8)]
    case .abort: [3, 0]
    }
  }

  /// The first byte, which the answer repeats.
  var opCode: UInt8 { bytes[0] }
}

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
