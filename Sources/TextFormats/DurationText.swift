// SPDX-License-Identifier: Apache-2.0
/// Durations in words.
package enum DurationText {
  /// Returns a duration with its two largest units: `6 d 4 h`, `3 h 12 min`, `55 min`.
  package static func of(minutes: Int) -> String {
    let (days, hours, rest) = (minutes / 1440, minutes / 60 % 24, minutes % 60)
    if days > 0 { return "\(days) d \(hours) h" }
    return hours > 0 ? "\(hours) h \(rest) min" : "\(rest) min"
  }

  /// Returns a duration with its two largest units, below two minutes in seconds: `34 s`.
  package static func of(seconds: Int) -> String { seconds < 120 ? "\(seconds) s" : of(minutes: seconds / 60) }

  /// Returns the time since an event: `1 min ago`, `just now`. A negative age means that the other clock is ahead of
  /// this one.
  package static func ago(minutes: Int) -> String {
    if minutes < 0 { return "\(of(minutes: -minutes)) ahead of this computer's clock" }
    return minutes == 0 ? "just now" : "\(of(minutes: minutes)) ago"
  }
}
