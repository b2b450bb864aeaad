// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// A connection to the message bus. One thread at a time uses it, and only `wait` blocks.
///
/// A protocol, so that tests can put a bus of their own in the place of the system's, with its own time.
protocol BusConnection: AnyObject {
  /// The time on a clock that never goes back; its origin has no meaning.
  var now: Duration { get }
  /// Ends a `wait`, from any thread.
  var alarm: WakePipe { get }
  /// Sends a call and returns the number that its reply will carry.
  func send(_ call: BusCall) throws(BluetoothError) -> UInt64
  /// Returns the next message that arrived; nil if no message waits.
  func next() throws(BluetoothError) -> BusMessage?
  /// Waits until something arrived, the alarm was raised, or the time is `end`.
  func wait(until end: Duration) throws(BluetoothError)
  /// Answers a call; does nothing if it was answered before.
  func answer(_ call: UInt64, _ answer: BusAnswer)
  func close()
}

/// A message that arrived from the bus.
enum BusMessage: Hashable, Sendable {
  /// The reply to the call that was sent with this number.
  case reply(to: UInt64, [BusValue])
  /// An error as that reply.
  case failure(to: UInt64, name: String, text: String)
  case signal(BusNotice)
  /// A call to an object of ours, to be answered by `BusConnection.answer` with this number.
  case call(UInt64, BusNotice)
}

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
  case passkey(UInt32)
  /// Digits as the user typed them.
  case pinCode(String)
  case error(name: String)
}

/// A value in a message of the bus, copied out of it. A variant is the value inside it.
///
/// Nothing about it is to be trusted: every accessor returns nil if the value is of another type.
indirect enum BusValue: Hashable, Sendable {
  case boolean(Bool)
  /// Any integer up to 64 bits. One above `Int64.max` does not occur in what is read here and becomes `other`.
  case number(Int64)
  /// A string, an object path or a signature.
  case text(String)
  case bytes([UInt8])
  case array([BusValue])
  case structure([BusValue])
  /// An array of dictionary entries with text as keys. Of two equal keys the last one counts.
  case dictionary([String: BusValue])
  /// A type that is not needed here, such as a file descriptor, or a dictionary with other keys than text.
  case other

  var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
  var number: Int64? { if case .number(let value) = self { value } else { nil } }
  var text: String? { if case .text(let value) = self { value } else { nil } }
  var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
  var dictionary: [String: BusValue]? { if case .dictionary(let value) = self { value } else { nil } }

  /// The texts of an array; values of other types in it are left out.
  var texts: [String]? { if case .array(let values) = self { values.compactMap(\.text) } else { nil } }
}
