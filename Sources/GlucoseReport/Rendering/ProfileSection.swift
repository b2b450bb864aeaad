// SPDX-License-Identifier: Apache-2.0
import CGMModel

struct ProfileSection {
  let content: ReportContent

  var html: String {
    guard let profile = content.profile else {
      return """
        <section id="agp"><h2>Ambulatory glucose profile</h2><p>Not enough data: a profile needs values of \
        \(AmbulatoryProfile.minimumDays) days or more.</p></section>
        \(timeline)
        """
    }
    let key = [
      ("median", "median"), ("inner", "25–75 %: half of the values"), ("outer", "5–95 %: nine of ten values"),
      ("target", "target range, \(GlucoseRange.target.words(content.unit)) \(content.unit.rawValue)"),
    ].map { #"<span><i class="k-\#($0.0)"></i>\#($0.1)</span>"# }
    return """
      <section id="agp"><h2>Ambulatory glucose profile</h2>
      <p class="soft">\(profile.days) days laid over one another by time of day, \(content.unit.rawValue); smoothed over five quarters of an hour</p>
      <figure>\(ProfileDrawing(profile: profile, content: content).chart.html)
      <figcaption class="key">\(key.joined())</figcaption></figure>
      <details><summary>The profile as a table</summary>
      \(table(profile))
      </details></section>
      """
  }

  private func table(_ profile: AmbulatoryProfile) -> String {
    let smoothed = profile.smoothed
    let rows = stride(from: 0, to: smoothed.count, by: 4).map { quarter in
      let values = (smoothed[quarter] ?? []).map { content.unit.text($0) }
      let cells = values.isEmpty ? AmbulatoryProfile.percentages.map { _ in ReportNumbers.missing } : values
      return [ProfileDrawing.time(quarter)] + cells + [String(profile.quarters[quarter].count)]
    }
    let head = AmbulatoryProfile.percentages.map { $0 == 50 ? "median" : "\(ReportNumbers.number($0, places: 0)) %" }
    return HTMLTable(
      caption: "Percentiles at that time of day, smoothed as drawn, \(content.unit.rawValue)",
      head: ["Time"] + head + ["Values"], rows: rows
    ).html
  }

  private var timeline: String {
    let chart = TimelineDrawing(content: content).chart
    let key = FingerStickText.count(content.fingerSticks).map(FingerStickText.key)
    let sticks = key.map { "\n<figcaption class=\"key\">\($0)</figcaption>" } ?? ""
    let picture = chart.map { "<figure>\($0.html)\(sticks)</figure>" } ?? "<p>No values to draw.</p>"
    let smoothed = content.smoothing.map { "<p class=\"soft\">\($0.note)</p>" } ?? ""
    return """
      <section id="timeline"><h2>All values</h2>
      <p class="soft">\(content.unit.rawValue), \(Markup.text(content.clock.words))</p>\(smoothed)
      \(picture)</section>
      """
  }
}

struct ProfileDrawing {
  let profile: AmbulatoryProfile
  let content: ReportContent

  var chart: Chart {
    let area = PlotArea(
      axis: GlucoseAxis(content.points, unit: content.unit), minutes: 1_440, width: 768, height: 350, left: 64,
      right: 40, top: 16, bottom: 42, places: 2)
    let pieces = pieces
    var marks = area.frame(ticks: stride(from: 0, through: 24, by: 3).map { (Double($0 * 60), Self.hour($0)) })
    marks += band(pieces, 0, 4, area)
    marks += band(pieces, 1, 3, area)
    let lines = pieces.map { "M" + $0.map { area.point($0.minute, $0.values[2]) }.joined(separator: " ") }
    marks += #"<path class="median" data-name="median" d="\#(lines.joined())"/>"#
    marks += labels(pieces, area)
    return Chart(
      id: "agp", title: "Ambulatory glucose profile", description: description, area: area, startMinute: nil,
      marks: marks)
  }

  static func hour(_ hour: Int) -> String { "\(hour < 10 ? "0" : "")\(hour):00" }

  private typealias Moment = (minute: Double, values: [Double])

  /// Adjacent quarters with percentiles, at their middles. A single quarter is drawn at its full width.
  private var pieces: [[Moment]] {
    var pieces: [[Moment]] = [[]]
    for (index, values) in profile.smoothed.enumerated() {
      guard let values, values.allSatisfy(\.isFinite) else {
        pieces.append([])
        continue
      }
      pieces[pieces.count - 1].append((Double(index) * 15 + 7.5, values))
    }
    return pieces.filter { !$0.isEmpty }.map { piece in
      guard piece.count == 1 else { return piece }
      return [(piece[0].minute - 7.5, piece[0].values), (piece[0].minute + 7.5, piece[0].values)]
    }
  }

  /// Returns the outline of a band: along the upper percentile and back along the lower.
  private func band(_ pieces: [[Moment]], _ lower: Int, _ upper: Int, _ area: PlotArea) -> String {
    let data = pieces.map { piece in
      let forth = piece.map { area.point($0.minute, $0.values[upper]) }
      let back = piece.reversed().map { area.point($0.minute, $0.values[lower]) }
      return "M" + (forth + back).joined(separator: " ") + "z"
    }
    let name = "\(Self.name(lower))–\(Self.name(upper)) %"
    return #"<path class="\#(lower == 0 ? "outer" : "inner")" data-name="\#(name)" d="\#(data.joined())"/>"#
  }

  /// Labels of the percentages at the right end, at least a line of text apart.
  private func labels(_ pieces: [[Moment]], _ area: PlotArea) -> String {
    guard let last = pieces.last?.last else { return "" }
    var text = ""
    var floor = area.top + area.height + 12
    for index in last.values.indices {
      let y = min(area.y(last.values[index]) + 3.5, floor - 12)
      floor = y
      text += #"<text class="end" x="\#(area.text(area.x(last.minute) + 6))" y="\#(area.text(y))">"#
      text += "\(Self.name(index)) %</text>"
    }
    return text
  }

  private static func name(_ index: Int) -> String {
    ReportNumbers.number(AmbulatoryProfile.percentages[index], places: 0)
  }

  private var description: String {
    let medians = profile.smoothed.enumerated().compactMap { index, values in
      values.map { (time: Self.time(index), value: $0[2]) }
    }
    let unit = content.unit
    var text = "\(profile.days) days laid over one another by time of day: half of the values lie in the dark band"
    text +=
      " (25 to 75 %), nine of ten in the light one (5 to 95 %), the line is the median; all smoothed over five quarters of an hour."
    guard let low = medians.min(by: { $0.value < $1.value }), let high = medians.max(by: { $0.value < $1.value }) else {
      return text + " Each time of day has values of fewer than three days."
    }
    return text + " The median is lowest at \(low.time) with \(unit.text(low.value)) and highest at \(high.time) with"
      + " \(unit.text(high.value)) \(unit.rawValue)."
      + " Lines at \(unit.text(GlucoseRange.lowLimit)) and \(unit.text(GlucoseRange.highLimit)) show the target range."
  }

  static func time(_ quarter: Int) -> String {
    let minute = quarter % 4 * 15
    return "\(quarter < 40 ? "0" : "")\(quarter / 4):\(minute < 10 ? "0" : "")\(minute)"
  }
}
