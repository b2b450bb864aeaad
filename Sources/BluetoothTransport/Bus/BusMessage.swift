// SPDX-License-Identifier: Apache-2.0

/// A message that arrived from the bus.
enum BusMessage: Hashable, Sendable {
  /// The reply to the call that was sent with this number.
  case reply(to: UInt64, [BusValue])
  /// An error as the reply to the call that was sent with this number.
  case failure(to: UInt64, name: String, text: String)
  case signal(BusNotice)
  /// A call to an object of ours, to be answered by `BusConnection.answer` with this number.
  case call(UInt64, BusNotice)
}

/// Content of a signal or a call.
struct BusNotice: Hashable, Sendable {
  /// The unique name of the sender: `:1.7`. The bus sets it, so it cannot be forged.
  let sender: String
  let path: String
  let interface: String
  let member: String
  let body: [BusValue]
}

/// The answer to a call to an object of ours.
enum BusAnswer: Hashable, Sendable {
  case done
  /// A passkey of up to six digits.
  case passkey(UInt32)
  /// A PIN code, as the user typed it.
  case pinCode(String)
  case error(name: String)
}
