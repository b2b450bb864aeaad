// SPDX-License-Identifier: Apache-2.0

/// Bytes to and from a device: a `SerialPort`, or a script in a test.
protocol SerialLine: Sendable {
  typealias Moment = ContinuousClock.Instant

  /// Sends all bytes.
  func write(_ bytes: [UInt8], until end: Moment) throws(TransportError)

  /// Returns the bytes that have come, at least one; none if `end` has passed.
  func read(until end: Moment, while isWanted: () -> Bool) throws(TransportError) -> [UInt8]

  func close()
}

extension SerialPort: SerialLine {}
