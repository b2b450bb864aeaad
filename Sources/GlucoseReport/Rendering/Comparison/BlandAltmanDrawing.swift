// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Plot of the pairs' differences over their means, with the bias and the limits of agreement as lines.
struct BlandAltmanDrawing {
  let pairs: [GlucosePair]
  let unit: GlucoseUnit

  /// Draws the plot. `left` and `top` refer to the area within the axes; the title is above it, the lines' names are to
  /// the right.
  func marks(left: Double, top: Double, side: Double) -> String {
    let area = area(left: left, top: top, side: side)
    let places = pairs.map { (x: $0.mean, y: $0.difference) }
    let name = unit.rawValue
    var marks = area.frame(
      across: "Mean of sensor and reference, \(name)", up: "Sensor − reference, \(name)")
    marks += #"<path class="same" d="M\#(ComparisonArea.text(left)) \#(ComparisonArea.text(area.y(0)))h"#
    marks += #"\#(ComparisonArea.text(side))"/>"#
    marks += area.dots(places, kind: "pair")
    marks += lines(area)
    marks += #"<text class="panel" x="\#(ComparisonArea.text(left))" y="\#(ComparisonArea.text(top - 44))">"#
    marks += #"Bland-Altman plot</text><text x="\#(ComparisonArea.text(left))" y="\#(ComparisonArea.text(top - 24))">"#
    return marks + "\(note)</text>" + area.beyond(places)
  }

  /// Description for people who cannot see the plot: `Bland-Altman plot: bias +2.0 mg/dL, …`
  var description: String {
    let metrics = AgreementMetrics(pairs)
    guard let bias = metrics.bias else { return "Bland-Altman plot: no pairs." }
    var text = "Bland-Altman plot: bias \(signed(bias))"
    if let limits = metrics.limitsOfAgreement {
      text += ", limits of agreement \(signed(limits.lowerBound)) and \(signed(limits.upperBound))"
    }
    return text + " \(unit.rawValue)."
  }

  private var note: String {
    switch pairs.count {
    case 0: "No pairs."
    case 1: "Limits of agreement need at least two pairs."
    default: "Dashed: limits of agreement, bias ± 1.96 SD"
    }
  }

  /// Area with equal extent up and down, so that zero is in the middle.
  private func area(left: Double, top: Double, side: Double) -> ComparisonArea {
    let metrics = AgreementMetrics(pairs)
    let limits = metrics.limitsOfAgreement.map { [$0.lowerBound, $0.upperBound] } ?? []
    let farthest = unit.value((limits + [metrics.worst ?? 0]).map(abs).max() ?? 0)
    let ends: [Double] =
      switch unit {
      case .milligramsPerDecilitre: [20, 40, 60, 100, 150, 200, 300, 600]
      case .millimolesPerLitre: [1, 2, 3, 5, 8, 10, 15, 30]
      }
    let end = ends.first { $0 >= farthest } ?? ends[ends.count - 1]
    let means = pairs.map {
      GlucosePoint(time: $0.time, concentration: GlucoseConcentration(milligramsPerDecilitre: $0.mean))
    }
    return ComparisonArea(
      across: GlucoseAxis(means, unit: unit), up: GlucoseAxis(bottom: -end, top: end, unit: unit), left: left, top: top,
      side: side)
  }

  private func lines(_ area: ComparisonArea) -> String {
    let metrics = AgreementMetrics(pairs)
    guard let bias = metrics.bias else { return "" }
    let middle = area.y(bias)
    var marks = line(bias, "bias \(signed(bias))", kind: "bias", at: middle, area)
    if let limits = metrics.limitsOfAgreement {
      // Names of close lines are placed below each other.
      let (upper, lower) = (area.y(limits.upperBound), area.y(limits.lowerBound))
      marks += line(
        limits.upperBound, "+1.96 SD \(signed(limits.upperBound))", kind: "limit", at: min(upper, middle - 14), area)
      marks += line(
        limits.lowerBound, "−1.96 SD \(signed(limits.lowerBound))", kind: "limit", at: max(lower, middle + 14), area)
    }
    return marks
  }

  private func line(_ value: Double, _ name: String, kind: String, at height: Double, _ area: ComparisonArea) -> String
  {
    let y = ComparisonArea.text(area.y(value))
    return #"<path class="\#(kind)" d="M\#(ComparisonArea.text(area.left)) \#(y)h\#(ComparisonArea.text(area.side))"/>"#
      + #"<text x="\#(ComparisonArea.text(area.right + 6))" y="\#(ComparisonArea.text(height))" dy=".35em">"#
      + "\(name)</text>"
  }

  /// Formats a difference in the unit, with one decimal more than a value: `+2.1`, `−0.12`, `0.0`.
  private func signed(_ difference: Double) -> String {
    let text = ReportNumbers.number(unit.value(abs(difference)), places: unit.places + 1)
    let isNought = !text.contains { ("1"..."9").contains($0) }
    return (isNought ? "" : difference > 0 ? "+" : "−") + text
  }
}
