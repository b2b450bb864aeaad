// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Section with the ambulatory glucose profile; for too few days, the reason and a chart of all values.
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
    let head = AmbulatoryProfile.percentages.map {
      $0 == 50 ? "median" : "\(ReportNumbers.number($0, places: 0)) %"
    }
    return HTMLTable(
      caption: "Percentiles at that time of day, smoothed as drawn, \(content.unit.rawValue)",
      head: ["Time"] + head + ["Values"], rows: rows
    ).html
  }

  private var timeline: String {
    let chart = TimelineDrawing(content: content).chart
    let sticks =
      FingerStickText.count(content.fingerSticks).map {
        "\n<figcaption class=\"key\">\(FingerStickText.key($0))</figcaption>"
      } ?? ""
    let picture = chart.map { "<figure>\($0.html)\(sticks)</figure>" } ?? "<p>No values to draw.</p>"
    let smoothed = content.smoothing.map { "<p class=\"soft\">\($0.note)</p>" } ?? ""
    return """
      <section id="timeline"><h2>All values</h2>
      <p class="soft">\(content.unit.rawValue), \(Markup.text(content.clock.words))</p>\(smoothed)
      \(picture)</section>
      """
  }
}
