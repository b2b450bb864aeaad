// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlucoseReport

extension GlucoseMetrics {
  /// Every metric under the name that metrics.py has for it.
  var figures: [String: Double?] {
    var figures: [String: Double?] = [
      "mean": basics.mean, "sd": basics.standardDeviation, "cv": basics.coefficientOfVariation, "gmi": gmi,
      "ea1c": estimatedA1C, "very_low": ranges.veryLow, "low": ranges.low, "target": ranges.target,
      "high": ranges.high, "very_high": ranges.veryHigh, "tight": ranges.tight, "pregnancy": ranges.pregnancy,
      "below_pregnancy": ranges.belowPregnancy, "above_pregnancy": ranges.abovePregnancy, "gri": gri,
      "j_index": jIndex, "lbgi": lbgi, "hbgi": hbgi, "grade": grade.score, "grade_hypo": grade.percentHypoglycaemia,
      "grade_eu": grade.percentEuglycaemia, "grade_hyper": grade.percentHyperglycaemia, "cogi": cogi, "modd": modd,
      "conga": conga, "mag": mag, "adrr": adrr, "mage": mage,
    ]
    for episode in episodes {
      figures["\(episode.kind.rawValue)_episodes"] = Double(episode.count)
      figures["\(episode.kind.rawValue)_episodes_per_day"] = episode.perDay
      figures["\(episode.kind.rawValue)_episode_minutes"] = .some(episode.meanMinutes)
    }
    return figures
  }
}

/// Figures of other people's programs, which ours are compared with, as they were kept in Figures.
enum ForeignFigures {
  /// Whether the recorded figures are to be written again.
  static let areKeptAnew = ProcessInfo.processInfo.environment["LIBRE_KEEP_FIGURES"] != nil

  static func kept(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Figures/\(name).json")
  }
}
