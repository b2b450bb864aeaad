// SPDX-License-Identifier: Apache-2.0

/// Everything that can be asked of a meter.
///
/// A meter cannot be changed through it: there is no request that deletes a record, sets a clock or writes anything but
/// the few byte strings of `RecordAccessRequest` and `OneTouchRequest`.
package enum MeterRequest: Hashable, Sendable {
  /// Reads a value; answered by `MeterEvent.value`.
  case read(MeterCharacteristic)
  /// Asks for notifications or indications; answered by `MeterEvent.accepted`.
  case subscribe(MeterCharacteristic)
  /// Writes to the record access control point, with response; answered by `MeterEvent.accepted`.
  case records(RecordAccessRequest)
  /// Writes a frame to a OneTouch meter; answered by `MeterEvent.accepted`.
  case oneTouch(OneTouchRequest)

  /// The characteristic that is read, subscribed to or written to.
  package var characteristic: MeterCharacteristic {
    switch self {
    case .read(let characteristic), .subscribe(let characteristic): characteristic
    case .records: .recordAccess
    case .oneTouch: .oneTouchCommand
    }
  }

  /// The bytes that are written, at most 20; nil for a request that only reads or subscribes.
  package var writtenBytes: [UInt8]? {
    switch self {
    case .read, .subscribe: nil
    case .records(let request): request.bytes
    case .oneTouch(let request): request.bytes
    }
  }
}
