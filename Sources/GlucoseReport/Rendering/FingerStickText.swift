// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Words and legends for the finger-sticks in a chart.
enum FingerStickText {
  /// Returns `3 finger-sticks`; nil for none.
  static func count(_ sticks: [FingerStick]) -> String? {
    sticks.isEmpty ? nil : CountText.of(sticks.count, "finger-stick")
  }

  /// Describes the diamonds of a chart in a sentence; nil for none.
  static func drawn(_ sticks: [FingerStick], unit: GlucoseUnit) -> String? {
    let values = sticks.map { GlucosePoint($0).value }.filter(\.isFinite)
    guard let lowest = values.min(), let highest = values.max() else { return nil }
    return values.count == 1
      ? "1 finger-stick, \(unit.text(lowest)) \(unit.rawValue), is drawn as a diamond."
      : "\(values.count) finger-sticks, from \(unit.text(lowest)) to \(unit.text(highest)) \(unit.rawValue), are drawn as"
        + " diamonds."
  }

  /// Returns an entry of a page's legend.
  static func key(_ words: String) -> String {
    #"<span><i class="k-stick"></i>\#(words)</span>"#
  }

  /// Returns the mark in a legend of a picture.
  static func legendMark(x: Double, y: Double) -> String {
    let start = "M\(DecimalText.shortest(x, places: 1)) \(DecimalText.shortest(y, places: 1))h0"
    return #"<path class="sticks" d="\#(start)\#(PlotArea.diamond(radius: 5))"/>"# + "\n"
  }
}
