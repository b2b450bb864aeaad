// SPDX-License-Identifier: Apache-2.0
package import GlucoseReport
package import LibreDocuments
package import SensorHistory
import TextFormats

package struct PlotText: Sendable {
  private let unit: GlucoseUnit
  private let style: Style
  private let characters: TerminalCharacters
  private let smoothing: Smoothing?

  /// `smoothing` affects the line only; nil draws the measured values.
  package init(unit: GlucoseUnit, style: Style, characters: TerminalCharacters, smoothing: Smoothing? = nil) {
    self.unit = unit
    self.style = style
    self.characters = characters
    self.smoothing = smoothing
  }

  /// Lines, each with its line end. `from` and `to` limit the range; nil means the first or last value.
  package func text(of history: GlucoseHistory, from: Instant?, to: Instant?, width: Int, height: Int) -> String {
    let points = history.points
    let plot = TerminalPlot(
      points, fingerSticks: history.fingerSticks, from: from, to: to, unit: unit, clock: history.clock, width: width,
      height: height, characters: characters, smoothing: smoothing)
    let head = title(of: history, points).map { "\($0)\n\n" }
    return (head ?? "") + plot.lines.map { style.text($0) + "\n" }.joined() + "\n\(Program.disclaimer)\n"
  }

  /// The newest value; the newest finger-stick if there is no other value, and nil without either.
  private func title(of history: GlucoseHistory, _ points: [GlucosePoint]) -> String? {
    let sticks = history.fingerSticks
    guard let last = points.last ?? sticks.last.map(GlucosePoint.init) else { return nil }
    let clock = history.clock
    let value = style.bold("\(unit.shown(last.concentration)) \(unit.rawValue)")
    let count = points.isEmpty ? CountText.of(sticks.count, "finger-stick") : CountText.of(points.count, "value")
    let day = clock.name(ofDay: clock.day(last.time))
    let place =
      switch clock.kind {
      case .local(let zone): zone ?? "local time"
      case .sensorAge: "time since the sensor's start, because it is unknown when it was read"
      }
    return "\(value) at \(clock.timeOfDay(last.time)) on \(day), the last of \(count); \(place)"
  }
}
