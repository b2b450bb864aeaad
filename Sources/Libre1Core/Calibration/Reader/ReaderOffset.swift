// SPDX-License-Identifier: Apache-2.0

/// What the official reader adds for a sensor's age (CALIBRATION 5.2 step 5, read): something in the first two days,
/// nothing until day ten, then up to 12 mg/dL.
///
/// It asks for the oldest record of a scan. Of a merged series nobody can say which scan a record came from, and it may
/// have come from many. So each is taken from the scan in which it was the newest: of that the oldest is 31 records
/// before it, or the oldest of all where that is later. For one scan of up to 32 records this is the reader's own rule.
/// Where the choice of scan matters, minutes 2881…3345, the offset is 0.134 mg/dL at most, and no choice costs more.
struct ReaderOffset {
  /// Of all records of the history; nil if there is none.
  let oldestMinute: Int?

  /// mg/dL to add at `minute`, from 1 up, to a value with `glucose` before lag compensation. `newestHistoryMinute` is
  /// that of the scan.
  func milligrams(at minute: Int, newestHistoryMinute: Int, glucose: Double) -> Double {
    let oldest = max(oldestMinute ?? newestHistoryMinute, newestHistoryMinute - Self.minutesOfRing)
    let m = Double(minute)
    if oldest - 60 > 2_820 { return 12 * min(max((m - 14_400) / (27_360 - 14_400), 0), 1) }
    let settling = 80 * (Elementary.exp2(-m * Self.slow) - Elementary.exp2(-m * Self.fast))
    let lift = glucose < 120 && minute < 1_440 ? 0.3 * (1 - m / 1_440) * (120 - glucose) : 0
    return settling + lift
  }

  /// From the newest to the oldest of 32 records.
  private static let minutesOfRing = 465
  /// log2(1.00222222) and log2(1.00416667).
  private static let slow = 0.003_202_428_839_463_446
  private static let fast = 0.005_998_745_410_472_319
}
