// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// A metric as Prometheus reads it: its name, its meaning, and a series for each set of labels.
struct MetricFamily {
  enum Kind: String { case gauge, counter }

  struct Series {
    let labels: [(name: String, value: String)]
    let value: Double

    init(_ value: Double, _ labels: [(name: String, value: String)] = []) {
      self.labels = labels
      self.value = value
    }
  }

  /// Name with its base unit; a counter's without `_total`.
  let name: String
  let kind: Kind
  /// The end of the name; nil for a number of things.
  let unit: String?
  /// One sentence.
  let help: String
  let series: [Series]

  init(_ name: String, _ kind: Kind = .gauge, unit: String? = nil, help: String, _ series: [Series]) {
    self.name = name
    self.kind = kind
    self.unit = unit
    self.help = help
    self.series = series
  }
}

/// The two text formats that Prometheus and its relatives read.
enum MetricsFormat {
  /// Prometheus' own, version 0.0.4.
  case classic
  /// OpenMetrics 1.0.0, which has units and ends with `# EOF`.
  case openMetrics

  /// Format that a client asks for: OpenMetrics if its `Accept` names it.
  init(accept: String?) {
    self = accept?.lowercased().contains("application/openmetrics-text") ?? false ? .openMetrics : .classic
  }

  var contentType: String {
    switch self {
    case .classic: "text/plain; version=0.0.4; charset=utf-8"
    case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
    }
  }

  /// A family without series is left out.
  func text(of families: [MetricFamily]) -> String {
    let body = families.filter { !$0.series.isEmpty }.map(text).joined()
    return self == .openMetrics ? "\(body)# EOF\n" : body
  }

  private func text(of family: MetricFamily) -> String {
    let sampleName = family.kind == .counter ? "\(family.name)_total" : family.name
    let name = self == .openMetrics ? family.name : sampleName
    var text = "# HELP \(name) \(Self.escaped(family.help, quotes: self == .openMetrics))\n"
    text += "# TYPE \(name) \(family.kind.rawValue)\n"
    if self == .openMetrics, let unit = family.unit { text += "# UNIT \(name) \(unit)\n" }
    for series in family.series {
      let labels = series.labels.map { "\($0.name)=\"\(SafeText.line(Self.escaped($0.value, quotes: true)))\"" }.joined(
        separator: ",")
      text += "\(sampleName)\(labels.isEmpty ? "" : "{\(labels)}") \(Self.number(series.value))\n"
    }
    return text
  }

  private static func number(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "NaN" : value > 0 ? "+Inf" : "-Inf" }
    return DecimalText.shortest(value, places: 4)
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    let lines = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    return quotes ? lines.replacing("\"", with: "\\\"") : lines
  }
}
