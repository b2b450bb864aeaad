// SPDX-License-Identifier: Apache-2.0

/// The requests that are sent to the record access control point (`2A52`) of a glucose meter.
///
/// Every meter has to support all four (Bluetooth SIG, Glucose Service 1.0, 3.4). Deleting (op code 2) and all other
/// operators cannot be expressed.
package enum RecordAccessRequest: Hashable, Sendable {
  case countAll
  /// Asks for all stored records, oldest first.
  case reportAll
  /// Asks for the records from this sequence number on, this one included.
  case report(from: UInt16)
  /// Ends a transfer that is under way.
  case abort

  /// Op code, operator, and for a sequence number the filter type 1 and the number, least significant byte first.
  package var bytes: [UInt8] {
    switch self {
    case .countAll: [4, 1]
    case .reportAll: [1, 1]
    case .report(let first): [1, 3, 1] + first.littleEndianBytes
    case .abort: [3, 0]
    }
  }

  /// The first byte, which the answer repeats.
  var opCode: UInt8 { bytes[0] }
}

/// An indication of a glucose meter on the record access control point (`2A52`; Bluetooth SIG, Glucose Service 1.0, 3.4).
package enum RecordAccessResponse: Hashable, Sendable {
  case count(UInt16)
  /// The end of a request, with its op code.
  case ended(opCode: UInt8, RecordAccessCode)

  /// - Throws: `tooShort`, and `unexpectedAnswer` for an op code that is not an answer. Surplus bytes are tolerated.
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

/// The outcome of a request to the record access control point, as a number.
package struct RecordAccessCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  static let success = Self(rawValue: 1)
  static let opCodeNotSupported = Self(rawValue: 2)
  static let invalidOperator = Self(rawValue: 3)
  package static let operatorNotSupported = Self(rawValue: 4)
  static let invalidOperand = Self(rawValue: 5)
  static let noRecordsFound = Self(rawValue: 6)
  static let abortUnsuccessful = Self(rawValue: 7)
  /// The meter broke off: a key was pressed or a strip inserted.
  static let procedureNotCompleted = Self(rawValue: 8)
  static let operandNotSupported = Self(rawValue: 9)

  var text: String {
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
    default: "unknown response code \(rawValue)"
    }
  }
}
