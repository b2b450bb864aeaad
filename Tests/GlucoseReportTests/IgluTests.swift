// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlucoseReport
import TestSupport
import Testing

/// Our metrics against those of iglu-python and py-agata: as the two compute them now, where they are installed, and as
/// they did when Figures was written, everywhere.
///
/// `LIBRE_KEEP_FIGURES=1 swift test --filter IgluTests` writes Figures anew.
struct IgluTests {
  private func metrics(_ series: SeededSeries) throws -> GlucoseMetrics {
    try #require(GlucoseMetrics(series.points, percentActive: 100, clock: SeededSeries.clock))
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
    "every metric matches iglu-python, py-agata and the recorded figures",
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
    try check(series, against: answer)
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

  @Test("the sine has the same figures as in iglu-python, R iglu and py-agata")
  func sine() throws {
    let metrics = try metrics(.sine)
    #expect(isSame(metrics.basics.mean, 140))
    #expect(abs(try #require(metrics.basics.coefficientOfVariation) - 30.315857) < 1e-6)
    #expect(isSame(metrics.gmi, 6.6588))
    #expect(abs(metrics.ranges.target - 73.958333) < 1e-6)
    #expect(abs(metrics.gri - 20.833333) < 1e-6)
    #expect(abs(try #require(metrics.mage) - 115.8256) < 5e-5)
    #expect(GlucoseMetrics.mageAlgorithm == "iglu moving average, 5 and 32 points")
  }

  @Test("the other series have lows, very lows, prolonged lows, highs and very highs")
  func realistic() throws {
    for series in [SeededSeries.meals, .gaps] {
      for episode in try metrics(series).episodes { #expect(episode.count > 0, "\(series) \(episode.kind)") }
    }
  }
}
