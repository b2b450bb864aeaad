// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlucoseReport
import TestSupport
import Testing

/// Our metrics against those of iglu-python and py-agata as they are kept in Figures, and these against what the two
/// compute now, where they are installed.
///
/// `LIBRE_KEEP_FIGURES=1 swift test --filter IgluTests` writes Figures anew.
struct IgluTests {
  private func metrics(_ series: SeededSeries) throws -> GlucoseMetrics {
    try #require(GlucoseMetrics(series.points, percentActive: 100, clock: ReportClocks.utc))
  }

  /// True within 1e-6, of the figure where that is more than 1, or if neither exists.
  private func isSame(_ ours: Double?, _ theirs: Double?) -> Bool {
    guard let ours, let theirs else { return ours == theirs }
    return abs(ours - theirs) <= 1e-6 * max(1, abs(theirs))
  }

  private func check(_ series: SeededSeries, against answer: JSONValue) throws {
    let ours = try metrics(series).figures
    #expect(answer["iglu"].keys == Set(ours.keys), "every metric, and no other")
    for (name, value) in ours {
      let theirs = answer["iglu"][name].number
      #expect(isSame(value, theirs), "\(series) \(name): \(value as Any), iglu-python \(theirs as Any)")
    }
    // py-agata takes uniform times only. Its MAGE and CONGA (4 h) have other definitions, its COGI counts the SD in
    // mmol/L, and its tight range is without its limits.
    #expect(answer["agata"].keys.count == (series == .gaps ? 0 : 15))
    for name in answer["agata"].keys {
      var theirs = answer["agata"][name].number
      // iglu rounds 10 × 1.509² to 22.77.
      if name == "adrr" { theirs = theirs.map { $0 * 22.77 / 22.770_81 } }
      // py-agata pairs the first value too, which is not on iglu's grid if it is at midnight; all pairs are equal here.
      let value = try #require(ours[name])
      #expect(isSame(value, theirs), "\(series) \(name): \(value as Any), py-agata \(theirs as Any)")
    }
  }

  @Test(
    "the recorded figures are those of iglu-python and py-agata",
    .startsProcesses, .enabled(if: ForeignPython.has("iglu_python", "py_agata"), "\(ForeignPython.absence)"),
    arguments: SeededSeries.allCases)
  func computed(_ series: SeededSeries) throws {
    let outcome = try ForeignPython.run(
      "metrics.py", of: "GlucoseReportTests", input: Array(series.table.utf8), by: .packages)
    #expect(outcome.status == 0, "\(outcome.errors)")
    if ForeignFigures.areKeptAnew {
      try Data(outcome.output).write(to: ForeignFigures.kept(series.rawValue))
    }
    let answer = try outcome.json()
    let before = try JSONValue(parsing: Data(contentsOf: ForeignFigures.kept(series.rawValue)))
    for program in ["iglu", "agata"] {
      #expect(answer[program].keys == before[program].keys)
      for name in answer[program].keys {
        #expect(isSame(before[program][name].number, answer[program][name].number), "\(series) \(program) \(name)")
      }
    }
  }

  @Test("every metric matches the recorded results of iglu-python and py-agata", arguments: SeededSeries.allCases)
  func remembered(_ series: SeededSeries) throws {
    try check(series, against: try JSONValue(parsing: Data(contentsOf: ForeignFigures.kept(series.rawValue))))
  }
}
