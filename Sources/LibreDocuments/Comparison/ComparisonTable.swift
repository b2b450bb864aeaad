// SPDX-License-Identifier: Apache-2.0
import GlucoseReport
import HostSystem
package import SensorHistory
import TextFormats

/// A comparison as tables: the differences of each calibration from the reference, and their error grid zones.
package struct ComparisonTable: Sendable {
  private let unit: GlucoseUnit
  private let style: Style

  package init(unit: GlucoseUnit, style: Style) {
    self.unit = unit
    self.style = style
  }

  package func text(of comparison: Comparison, within minutes: Int) -> String {
    let count = comparison.referenceCount
    let sources = comparison.referenceSources.map { source in
      source.name.map { "\(source.count) of \(SafeText.line($0))" } ?? "\(source.count) typed"
    }
    let origin = sources.isEmpty ? "" : " (\(sources.joined(separator: ", ")))"
    let head =
      "\(style.bold("Reference: \(comparison.reference)")), \(CountText.of(count, "value"))\(origin); each is paired with a sensor value within \(minutes) min"
    let sections = [
      [head, "Times without a zone in a file are in \(LocalTime.zoneName ?? "this computer's zone") (--time-zone)."],
      agreement(comparison.models) + cautions(comparison),
      [style.bold("Zones of the error grids, %")] + zones(comparison.models), [Program.disclaimer],
    ]
    return sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  package func text(of comparison: MemoryComparison) -> String {
    let head = ["memory", "calibration", "n", "mean difference", "mean absolute", "worst"]
    var rows: [[String]] = []
    for memory in comparison.memories {
      let name = memory.path + (memory.dump.map { " (\($0))" } ?? "")
      for model in memory.comparison.models { rows.append([name] + differences(model)) }
    }
    for model in comparison.total.models { rows.append(["all \(comparison.memories.count)"] + differences(model)) }
    let lines = Columns.table(head, rows, [.left, .left, .right, .right, .right, .right], style: style)
    let title = style.bold("Other calibrations minus the factory's, \(unit.rawValue)")
    return ([title, ""] + lines + ["", Program.disclaimer]).joined(separator: "\n") + "\n"
  }

  package func text(of comparison: OfficialComparison) -> String {
    let head = ["sensor", "values", "calibration", "n", "equal", "RMSE", "worst"]
    let rows = comparison.rows.map { row in
      [row.sensor, row.kind.rawValue, row.model.name, String(row.model.metrics.count), String(row.equal)]
        + [size(row.model.metrics.rmse), signed(row.model.metrics.worst)]
    }
    let lines = Columns.table(head, rows, [.left, .left, .left, .right, .right, .right, .right], style: style)
    let title = style.bold("Calibrations compared with \(comparison.count) official values, \(unit.rawValue)")
    let none = comparison.errorsWithoutValue.map { "\($0.count) with \($0.calibration)" }.joined(separator: ", ")
    let errors =
      "\(comparison.officialErrors) records are errors in the official results; of these, without a value here: \(none)."
    let claims = Set(comparison.rows.map(\.model.name)).sorted().flatMap { CalibrationEntry.named($0)?.claim ?? [] }
    let notes =
      ["", "Equal: the same value in whole mg/dL, as the official programs store it."] + claims
      + (comparison.officialErrors == 0 ? [] : ["", errors])
    return ([title, ""] + lines + notes + software(comparison) + ["", Program.disclaimer]).joined(separator: "\n")
      + "\n"
  }

  private func software(_ comparison: OfficialComparison) -> [String] {
    guard !comparison.software.isEmpty else { return [] }
    let rows = comparison.software.map { row in
      let metrics = row.model.metrics
      return [
        row.sensor, row.model.name, String(metrics.count), String(row.equal), signed(metrics.bias), size(metrics.rmse),
        signed(metrics.worst), row.fits ? "fits" : "–",
      ]
    }
    let head = ["sensor", "official software", "n", "equal", "bias", "RMSE", "worst", ""]
    let alignments: [Columns.Alignment] = [.left, .left, .right, .right, .right, .right, .right, .left]
    let known = Set(comparison.software.filter(\.fits).map(\.number))
    let unknown = comparison.software.filter { row in
      !known.contains(row.number) && row.model.metrics.count >= OfficialComparison.Row.minimumCount
    }
    let names = Set(unknown.map(\.sensor)).sorted()
    return ["", style.bold("Software that gives the values of the history"), ""]
      + Columns.table(head, rows, alignments, style: style)
      + [
        "",
        "Fits: \(OfficialComparison.Row.minimumCount) or more values, of which none differs by \(size(1)) \(unit.rawValue) or more.",
      ]
      + names.map { "\($0): no known software gives these values. \(Self.appeal)" }
  }

  private static let appeal =
    "The article \"Help to find the formula\" says what is missing; --csv writes the differences without names and times."

  private func agreement(_ models: [Comparison.Model]) -> [String] {
    let head = [
      "calibration", "n", "bias", "MARD", "RMSE", "SD", "limits of agreement", "worst", "within 15/15", "within 20/20",
    ]
    let rows = models.map { model in
      let metrics = model.metrics
      let limits = metrics.limitsOfAgreement.map { "\(signed($0.lowerBound)) … \(signed($0.upperBound))" } ?? "–"
      return [
        model.name, String(metrics.count), signed(metrics.bias), percent(metrics.mard), size(metrics.rmse),
        size(metrics.standardDeviation), limits, signed(metrics.worst), percent(metrics.percentWithin15),
        percent(metrics.percentWithin20),
      ]
    }
    let alignments: [Columns.Alignment] = [.left] + Array(repeating: .right, count: 9)
    return Columns.table(head, rows, alignments, style: style) + ["Sensor minus reference, \(unit.rawValue)."]
  }

  private func cautions(_ comparison: Comparison) -> [String] {
    let areDifferent = Set(comparison.models.map(\.pairs.count)).count > 1
    let hasUser = comparison.models.contains { $0.name == CalibrationChoice.user.name && !$0.pairs.isEmpty }
    let different = "The calibrations have values at different times, so their pairs are not the same."
    let user = "The user's calibration was computed from finger-sticks: compared with the same ones it looks too good."
    return (areDifferent ? [different] : []) + (hasUser ? [user] : [])
  }

  private func zones(_ models: [Comparison.Model]) -> [String] {
    let head = ["grid", "calibration"] + ErrorGridZone.allCases.map(\.rawValue)
    let rows = ErrorGrid.allCases.flatMap { grid in
      models.map { model in
        let counts = ErrorGridCounts(model.pairs, grid: grid)
        let percent = ErrorGridZone.allCases.map(counts.percent)
        return [grid.title, model.name] + percent.map { $0.map { DecimalText.fixed($0, places: 1) } ?? "–" }
      }
    }
    return Columns.table(head, rows, [.left, .left, .right, .right, .right, .right, .right], style: style)
  }

  private func differences(_ model: Comparison.Model) -> [String] {
    let metrics = model.metrics
    return [
      model.name, String(metrics.count), signed(metrics.bias), size(metrics.meanAbsoluteDifference),
      signed(metrics.worst),
    ]
  }

  private func signed(_ value: Double?) -> String {
    guard let value else { return "–" }
    let text = size(value)
    return value > 0 && text.contains { "123456789".contains($0) } ? "+" + text : text
  }

  /// A difference with one decimal more than a value, because it is small.
  private func size(_ value: Double?) -> String {
    guard let value else { return "–" }
    let shown = unit.value(of: GlucoseConcentration(milligramsPerDecilitre: value))
    return DecimalText.fixed(shown, places: unit.places + 1)
  }

  private func percent(_ value: Double?) -> String { value.map { "\(DecimalText.fixed($0, places: 1)) %" } ?? "–" }
}
