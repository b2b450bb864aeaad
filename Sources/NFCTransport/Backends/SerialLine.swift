// SPDX-License-Identifier: Apache-2.0

/// Bytes to and from a device: a `SerialPort`, or a script in a test.
protocol SerialLine: Sendable {
  /// Sends all bytes.
  func write(_ bytes: [UInt8], until end: ContinuousClock.Instant) throws(TransportError)

  /// Returns the bytes that have come, at least one; none if `end` has passed.
  func read(until end: ContinuousClock.Instant, while isWanted: () -> Bool) throws(TransportError) -> [UInt8]

  func close()
}

extension SerialPort: SerialLine {}
