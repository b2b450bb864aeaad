// SPDX-License-Identifier: Apache-2.0

/// All timeouts and limits of transfers.
public enum MeterTiming {
  /// Answer to a subscription or a write. The attribute protocol itself allows 30 s; pairing may happen inside.
  static let request = Duration.seconds(35)
  /// Answer to a read of the description.
  static let read = Duration.seconds(10)
  /// Longest pause during a transfer of records (Bluetooth SIG, Glucose Profile 1.0, 4.7.5). After it no new request may be
  /// made on the link.
  static let pause = Duration.seconds(30)
  /// Wait for contexts that were announced but did not come before the end.
  static let lateContext = Duration.seconds(2)
  /// Wait for the end of a transfer that was aborted.
  static let abort = Duration.seconds(2)
  /// Wait for the first measurement of a cuff.
  static let firstMeasurement = Duration.seconds(30)
  /// Pause that ends the transfer of a cuff, which sends no end. The maker's app of Beurer waits 4 s, others 2 to 5 s.
  static let cuffQuiet = Duration.seconds(4)
  /// Answer of a OneTouch meter to a command.
  static let oneTouchAnswer = Duration.seconds(5)
  /// Pause of a OneTouch meter between pairing and the first command.
  static let oneTouchRest = Duration.seconds(1)
  /// Most packets accepted in one transfer: no meter stores 10,000 records, and each may have a context.
  static let maximumPackets = 20_000
}
