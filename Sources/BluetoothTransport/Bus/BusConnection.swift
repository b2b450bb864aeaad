// SPDX-License-Identifier: Apache-2.0

/// A connection to the message bus. One thread at a time uses it, and only `wait` blocks.
///
/// A protocol, so that tests can put a bus of their own in the place of the system's, with its own time.
protocol BusConnection: AnyObject {
  /// The time on a clock that never goes back; its origin has no meaning.
  var now: Duration { get }
  /// Ends a `wait`, from any thread.
  var alarm: BusAlarm { get }
  /// Sends a call and returns the number that its reply will carry.
  func send(_ call: BusCall) throws(BluetoothError) -> UInt64
  /// Returns the next message that arrived; nil if no message waits.
  ///
  /// - Throws: `busLost`.
  func next() throws(BluetoothError) -> BusMessage?
  /// Waits until something arrived, the alarm was raised, or the time is `end`.
  func wait(until end: Duration) throws(BluetoothError)
  /// Answers a call; does nothing if it was answered before.
  func answer(_ call: UInt64, _ answer: BusAnswer)
  func close()
}
