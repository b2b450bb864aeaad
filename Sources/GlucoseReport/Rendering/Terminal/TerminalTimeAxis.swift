// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The horizontal axis of a terminal chart: maps a span of time to dots and cells.
struct TerminalTimeAxis {
  struct Tick: Hashable {
    /// Cell in the plot.
    let cell: Int
    let name: String
    /// First cell of its label in the whole line.
    let start: Int
  }

  let from: Instant
  let to: Instant
  let clock: WallClock
  let cells: Int
  let dotsAcross: Int
  /// Cells to the left of the plot.
  let margin: Int

  private var span: Int64 { to.secondsSince1970 - from.secondsSince1970 }

  /// Returns the dot closest to a moment in the span, which has a dot at each end.
  func dot(_ time: Instant) -> Int {
    let last = Int64(cells * dotsAcross - 1)
    return Int(((time.secondsSince1970 - from.secondsSince1970) * last * 2 + span) / (2 * span))
  }

  /// Ticks of the narrowest step that keeps labels two cells apart.
  var ticks: [Tick] {
    var marks: [TimeStep.Mark] = []
    for step in TimeStep.all(clock.kind) where span / step.seconds <= Int64(cells) {
      let next = step.marks(from: from, to: to, clock: clock)
      // The step is wider than the span: use as many of the previous ticks as fit.
      if next.isEmpty { break }
      marks = next
      let placed = place(marks)
      if placed.count == marks.count { return placed }
    }
    return place(marks)
  }

  private func place(_ marks: [TimeStep.Mark]) -> [Tick] {
    var ticks: [Tick] = []
    var free = 0
    for mark in marks {
      let cell = dot(mark.time) / dotsAcross
      let start = max(0, min(margin + cells - mark.name.count, margin + cell - mark.name.count / 2))
      guard start >= free else { continue }
      ticks.append(Tick(cell: cell, name: mark.name, start: start))
      free = start + mark.name.count + 2
    }
    return ticks
  }
}
