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
