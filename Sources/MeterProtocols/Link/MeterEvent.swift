// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// An event on the link to a meter, as a value.
package enum MeterEvent: Hashable, Sendable {
  /// A value: the answer to a read, a notification or an indication.
  case value(MeterCharacteristic, [UInt8])
  /// The meter accepted a write or a subscription.
  case accepted
  /// The meter refused a request.
  case refused(MeterRefusal)
  /// Nothing happened before the timeout of the step.
  case quiet
  /// The link is gone: the meter ended it, or it is out of range.
  case disconnected
  /// The user or the program ends the transfer.
  case cancelled
}

/// The reason why a meter refused a request.
package enum MeterRefusal: Hashable, Sendable {
  /// The meter does not have this characteristic.
  case absent
  /// The meter allows this request to devices that are paired with it only (ATT errors 05, 08, 0C, 0F).
  case notPaired
  /// The characteristic does not take such a request (ATT errors 01, 02, 03, 06).
  case notPermitted
  /// The meter is still busy with another request (ATT error 80).
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
}
