// SPDX-License-Identifier: Apache-2.0

extension ISO15693.Request {
  /// Time on air of this exchange, if the answer has `answerByteCount` bytes, flags first and without CRC.
  ///
  /// Counts from the request's start mark to the earliest next request, with 1-of-4 coding, one sub-carrier and the
  /// high data rate, without the time of reader and driver. (Derived: the numbers of ISO 15693-3 in periods of the
  /// carrier; the length of an answer agrees with a recorded one, NFCTransport/ReadingOverTheAir, "Timing".)
  package func airTime(answerByteCount: Int) -> Duration {
    let bytes = frame.count + answerByteCount + 2 * AirTime.checksumBytes
    let periods =
      AirTime.requestMarks + AirTime.answerMarks + bytes * AirTime.byte + AirTime.beforeAnswer + AirTime.beforeRequest
    return .nanoseconds(periods * 1_000_000_000 / AirTime.carrierHertz)
  }
}

/// Durations on air, in periods of the carrier.
private enum AirTime {
  static let carrierHertz = 13_560_000
  /// 302.06 µs, in either direction.
  static let byte = 4096
  static let checksumBytes = 2
  /// Start 75.52 µs and end 37.76 µs.
  static let requestMarks = 1024 + 512
  /// Start and end, 151.03 µs each.
  static let answerMarks = 2048 + 2048
  /// t1, 320.9 µs: the tag's delay before its answer.
  static let beforeAnswer = 4352
  /// t2, 309.1 µs: the reader's minimum delay before the next request.
  static let beforeRequest = 4192
}
