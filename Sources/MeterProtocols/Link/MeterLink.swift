// SPDX-License-Identifier: Apache-2.0

/// A connected meter: carries requests to it and events from it.
///
/// A failure is an event, not an error: what a transfer does about it is decided by its `MeterProcedure`, the same way for
/// every kind of link.
package protocol MeterLink: Sendable {
  var identity: MeterIdentity { get }
  /// The characteristics that the meter has, as far as this module knows them.
  var characteristics: Set<MeterCharacteristic> { get }

  /// Performs one request. Returns `value` for a read, `accepted` for a write or a subscription, `refused`, or `quiet` if
  /// the meter did not answer before the timeout, `disconnected` if the link is gone, and `cancelled` as soon as the
  /// task is cancelled.
  ///
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
  /// Advertised name; nil if the meter did not send one.
  package let name: String?

  package init(address: String, name: String?) {
    self.address = address
    self.name = name
  }
}
