// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import TextFormats

/// A chart of values over time, drawn with a terminal's characters. Readings up to 45 minutes apart are joined by a
/// line. Two dotted lines mark 70 and 180 mg/dL; rows below are marked `L`, rows above `H`.
package struct TerminalPlot: Hashable, Sendable {
  package static let widths = 20...500
  package static let heights = 6...100

  /// Rows from top to bottom, the axis, its labels and a legend; or a sentence without values.
  package let lines: [TerminalLine]

  /// `points` must be in the order of time. `from` and `to` are included; nil means the first or last value. `width` of
  /// the lines and `height` between the axes are limited to the allowed range. `smoothing` affects the line only.
  package init(
    _ points: [GlucosePoint], fingerSticks: [FingerStick] = [], from: Instant? = nil, to: Instant? = nil,
    unit: GlucoseUnit, clock: WallClock, width: Int = 80, height: Int = 16, characters: TerminalCharacters = .unicode,
    smoothing: Smoothing? = nil
  ) {
    let width = min(max(width, Self.widths.lowerBound), Self.widths.upperBound)
    let height = min(max(height, Self.heights.lowerBound), Self.heights.upperBound)
    let (low, high) = (from ?? Instant.writable.lowerBound, to ?? Instant.writable.upperBound)
    func shown(_ points: [GlucosePoint]) -> [GlucosePoint] {
      points.filter { $0.value.isFinite && Instant.writable.contains($0.time) && low <= $0.time && $0.time <= high }
    }
    // Smooth before cropping, so that values just outside the chart still count.
    let drawn = smoothing.map { shown($0.smoothed(points)) }
    let points = shown(points)
    let sticks = shown(fingerSticks.map(GlucosePoint.init))
    let all = points + sticks
    let (times, values) = (all.map(\.time), all.map(\.value))
    guard let first = times.min(), let last = times.max(), let lowest = values.min(), let highest = values.max() else {
      lines = [TerminalLine(TerminalCell.text("No values to draw.", .plain))]
      return
    }
    let scale = TerminalScale(lowest: lowest, highest: highest, rows: height, dotsDown: characters.dotsDown)
    let labels = scale.labels(unit)
    let labelWidth = labels.values.map(\.count).max() ?? 0
    let margin = labelWidth + 3
    var start = max(from ?? first, Instant.writable.lowerBound)
    var end = min(to ?? last, Instant.writable.upperBound)
    // An hour is the minimum that always contains a tick.
    let missing = 60 - Int(end.secondsSince1970 - start.secondsSince1970) / 60
    if missing > 0 {
      (start, end) = (start.adding(minutes: -(missing + 1) / 2), end.adding(minutes: (missing + 1) / 2))
    }
    let axis = TerminalTimeAxis(
      from: start, to: end, clock: clock, cells: width - margin, dotsAcross: characters.dotsAcross, margin: margin)

    var plot = Self.rows(Self.dots(drawn ?? points, scale, axis), scale, characters)
    for stick in sticks {
      let (row, column) = (scale.dot(stick.value) / scale.dotsDown, axis.dot(stick.time) / axis.dotsAcross)
      plot[row][column] = TerminalCell(character: characters.fingerStick, color: .plain)
    }
    let rows = plot.indices.reversed().map { row in
      let label = labels[row] ?? ""
      let color = scale.color(ofRow: row)
      let letter = color == .low ? "L" : color == .high ? "H" : " "
      let upright = labels[row] == nil ? characters.upright : characters.uprightTick
      return TerminalLine(
        TerminalCell.text(String(repeating: " ", count: labelWidth - label.count) + label + " ", .axis)
          + TerminalCell.text(letter, color) + [TerminalCell(character: upright, color: .axis)] + plot[row])
    }
    lines = rows + Self.foot(axis, characters) + Self.legend(scale, axis, unit, characters, sticks.count, smoothing)
  }

  private static func dots(_ points: [GlucosePoint], _ scale: TerminalScale, _ axis: TerminalTimeAxis) -> TerminalDots {
    var dots = TerminalDots(columns: axis.cells * axis.dotsAcross, rows: scale.rows * scale.dotsDown)
    var previous: (time: Instant, dot: (column: Int, row: Int))?
    for point in points {
      let dot = (column: axis.dot(point.time), row: scale.dot(point.value))
      if let previous, previous.dot.column <= dot.column, DataGap.isBridged(previous.time, point.time) {
        dots.join(previous.dot, dot)
      } else {
        dots.stroke(column: dot.column, from: dot.row, to: dot.row)
      }
      previous = (point.time, dot)
    }
    return dots
  }

  private static func rows(
    _ dots: TerminalDots, _ scale: TerminalScale, _ characters: TerminalCharacters
  ) -> [[TerminalCell]] {
    let isSet = dots.isSet
    let (across, down) = (characters.dotsAcross, characters.dotsDown)
    return (0..<scale.rows).map { row in
      let (isUpper, isLower) = (scale.isUpper(row), scale.isLower(row))
      return (0..<dots.columns / across).map { column in
        var bits = 0
        for dot in 0..<across * down where isSet[column * across + dot % across][row * down + dot / across] {
          bits |= 1 << dot
        }
        if bits != 0 { return TerminalCell(character: characters.cell(bits), color: scale.color(ofRow: row)) }
        guard isUpper || isLower else { return .space }
        return TerminalCell(
          character: characters.limit(isUpper: isUpper, isLower: isLower, column: column), color: .band)
      }
    }
  }

  private static func foot(_ axis: TerminalTimeAxis, _ characters: TerminalCharacters) -> [TerminalLine] {
    var line = TerminalCell.text(String(repeating: " ", count: axis.margin - 1), .axis)
    line.append(TerminalCell(character: characters.corner, color: .axis))
    line += Array(repeating: TerminalCell(character: characters.level, color: .axis), count: axis.cells)
    var words: [TerminalCell] = []
    for tick in axis.ticks {
      line[axis.margin + tick.cell].character = characters.levelTick
      words += Array(repeating: .space, count: tick.start - words.count) + TerminalCell.text(tick.name, .axis)
    }
    return [TerminalLine(line), TerminalLine(words)]
  }

  private static func legend(
    _ scale: TerminalScale, _ axis: TerminalTimeAxis, _ unit: GlucoseUnit, _ characters: TerminalCharacters,
    _ sticks: Int, _ smoothing: Smoothing?
  ) -> [TerminalLine] {
    let range = DailyStatistics.range
    let limits = unit.text(range.lowerBound) + characters.dash + unit.text(range.upperBound)
    let lines = characters == .unicode ? "dotted" : "dashed"
    var parts = ["\(lines): \(limits) \(unit.rawValue)", "H above, L below"]
    if sticks > 0 { parts.append("\(characters.fingerStick) \(CountText.of(sticks, "finger-stick"))") }
    if scale.isExceeded { parts.append("values beyond the scale are drawn at its edge") }
    // Longer spans contain a change every half year.
    if axis.to <= axis.from.adding(days: 31) {
      parts += axis.clock.changes(from: axis.from, to: axis.to).map {
        "clock changed on \(axis.clock.shortName(ofDay: axis.clock.day($0)))"
      }
    }
    if let smoothing { parts.append(smoothing.note) }
    return Self.wrapped(parts, axis.cells).map {
      TerminalLine(Array(repeating: .space, count: axis.margin) + TerminalCell.text($0, .dim))
    }
  }

  /// Joins parts, each on one line if it fits, otherwise wrapped between words.
  private static func wrapped(_ parts: [String], _ width: Int) -> [String] {
    var lines: [String] = []
    for part in parts {
      if let last = lines.last, last.count + 3 + part.count <= width {
        lines[lines.count - 1] += "   " + part
        continue
      }
      lines.append("")
      for word in part.split(separator: " ") {
        let line = lines[lines.count - 1]
        if line.isEmpty {
          lines[lines.count - 1] = String(word)
        } else if line.count + 1 + word.count <= width {
          lines[lines.count - 1] += " " + word
        } else {
          lines.append(String(word))
        }
      }
    }
    return lines
  }
}

/// Dots of a chart, counted from its lower left corner. Each column stores only the ends of its strokes, so a stroke
/// costs the same for any height. Values that share a column are one stroke from the lowest to the highest.
struct TerminalDots {
  let columns: Int
  let rows: Int
  /// Number of strokes that begin at a dot, minus those that end below it.
  private var changes: [Int]

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    changes = Array(repeating: 0, count: columns * (rows + 1))
  }

  mutating func stroke(column: Int, from: Int, to: Int) {
    changes[column * (rows + 1) + min(from, to)] += 1
    changes[column * (rows + 1) + max(from, to) + 1] -= 1
  }

  mutating func join(_ first: (column: Int, row: Int), _ second: (column: Int, row: Int)) {
    guard first.column < second.column else {
      stroke(column: first.column, from: first.row, to: second.row)
      return
    }
    // In half dots: a column's stroke extends to the start of the next one.
    let run = 2 * (second.column - first.column)
    let rise = second.row - first.row
    func row(_ half: Int) -> Int {
      first.row + Int(saturating: (Double(rise * half) / Double(run)).rounded(.toNearestOrAwayFromZero))
    }
    for column in first.column...second.column {
      let middle = 2 * (column - first.column)
      stroke(column: column, from: row(max(0, middle - 1)), to: row(min(run, middle + 1)))
    }
  }

  /// Set dots, column by column upwards.
  var isSet: [[Bool]] {
    (0..<columns).map { column in
      var depth = 0
      return (0..<rows).map { row in
        depth += changes[column * (rows + 1) + row]
        return depth > 0
      }
    }
  }
}
