// SPDX-License-Identifier: Apache-2.0
import CGMModel

extension WallClock {
  /// `2024-05-02 08:30`, `day 3 08:30`.
  func moment(_ instant: Instant) -> String { "\(name(ofDay: day(instant))) \(timeOfDay(instant))" }

  /// What its times are, in words.
  var words: String {
    switch kind {
    case .local(let zone?): "local time, \(zone)"
    case .local(nil): "local time"
    case .sensorAge: "time since the sensor was started; the dates are not known"
    }
  }
}
