// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A connected meter: carries requests to it and events from it.
///
/// A failure is an event, not an error: what a transfer does about it is decided by its `MeterProcedure`, the same way for
/// every kind of link.
package protocol MeterLink: Sendable {
  var identity: MeterIdentity { get }
  /// The characteristics that the meter has, as far as this module knows them.
  var characteristics: Set<MeterCharacteristic> { get }

  /// Returns `value` for a read, `accepted` for a write or a subscription, `refused`, or `quiet` if the meter did not
  /// answer before the timeout, `disconnected` if the link is gone, and `cancelled` as soon as the task is cancelled.
  /// Notifications that arrive meanwhile are kept for `nextEvent`, in their order.
  func perform(_ request: MeterRequest, within timeout: Duration) async -> MeterEvent

  /// Waits for the next notification or indication. Returns `value`, `quiet` after the timeout, `disconnected` once all
  /// values that arrived before were returned, or `cancelled` as soon as the task is cancelled.
  func nextEvent(within timeout: Duration) async -> MeterEvent

  /// Ends the link in an orderly manner. Some meters report the transfer as successful only then.
  func disconnect() async
}

/// Name and address of a meter, known before anything was read from it.
package struct MeterIdentity: Hashable, Sendable {
  /// Bluetooth address, `AA:BB:CC:DD:EE:FF`; for a simulated meter `sim:NAME`.
  package let address: String
  /// Advertised name.
  package let name: String?

  package init(address: String, name: String?) {
    self.address = address
    self.name = name
  }
}

/// An event on the link to a meter, as a value.
package enum MeterEvent: Hashable, Sendable {
  /// The answer to a read, a notification or an indication.
  case value(MeterCharacteristic, [UInt8])
  /// The answer to a write or a subscription.
  case accepted
  case refused(MeterRefusal)
  /// Nothing happened before the timeout of the step.
  case quiet
  case disconnected
  /// The user or the program ends the transfer.
  case cancelled
}

package enum MeterRefusal: Hashable, Sendable {
  case absent
  /// The meter allows this request to devices that are paired with it only (ATT errors 05, 08, 0C, 0F).
  case notPaired
  /// The meter wants a pairing with digits, and is paired without.
  case passkeyNeeded
  /// The characteristic does not take such a request (ATT errors 01, 02, 03, 06).
  case notPermitted
  /// ATT error 80.
  case busy
  /// The meter wants its notifications enabled first (ATT error 81).
  case notSubscribed
  /// Another reason, in words: `ATT error 0x0E`.
  case other(String)

  /// The reason behind an error code of the attribute protocol (Bluetooth Core Specification, volume 3, part F, 3.4.1.1;
  /// 80 and 81: Bluetooth SIG, Core Specification Supplement, part B, and the glucose service's use of them).
  package init(attError code: UInt8) {
    self =
      switch code {
      case 0x05, 0x08, 0x0C, 0x0F: .notPaired
      case 0x01, 0x02, 0x03, 0x06: .notPermitted
      case 0x0A: .absent
      case 0x80, 0xFE: .busy
      case 0x81, 0xFD: .notSubscribed
      default: .other("ATT error 0x" + HexText.string(of: code))
      }
  }

  var text: String {
    switch self {
    case .absent: "the meter does not have this characteristic"
    case .notPaired: "it is not paired"
    case .passkeyNeeded: "it wants a pairing with digits"
    case .notPermitted: "not permitted"
    case .busy: "the meter is busy"
    case .notSubscribed: "its notifications are not enabled"
    case .other(let text): text
    }
  }
}

/// Everything that can be asked of a meter.
///
/// A meter cannot be changed through it: there is no request that deletes a record, sets a clock or writes anything but
/// the few byte strings of `RecordAccessRequest`, `OneTouchRequest` and `BridgeRequest`.
package enum MeterRequest: Hashable, Sendable {
  /// Answered by `MeterEvent.value`; all others by `MeterEvent.accepted`.
  case read(MeterCharacteristic)
  case subscribe(MeterCharacteristic)
  /// Writes to the record access control point, with response.
  case records(RecordAccessRequest)
  /// Writes a frame to a OneTouch meter.
  case oneTouch(OneTouchRequest)
  /// Writes a request to a bridge.
  case bridge(BridgeRequest)

  package var characteristic: MeterCharacteristic {
    switch self {
    case .read(let characteristic), .subscribe(let characteristic): characteristic
    case .records: .recordAccess
    case .oneTouch: .oneTouchCommand
    case .bridge: .bridgeCommand
    }
  }

  /// The bytes that are written, at most 20; nil for a request that only reads or subscribes.
  package var writtenBytes: [UInt8]? {
    switch self {
    case .read, .subscribe: nil
    case .records(let request): request.bytes
    case .oneTouch(let request): request.bytes
    case .bridge(let request): request.bytes
    }
  }

  /// The request in words, behind "refused to".
  var text: String {
    switch self {
    case .read(let characteristic): "report its \(characteristic.text)"
    case .subscribe(let characteristic): "notify of its \(characteristic.text)"
    case .records: "take the request for records"
    case .oneTouch, .bridge: "take a command"
    }
  }
}
