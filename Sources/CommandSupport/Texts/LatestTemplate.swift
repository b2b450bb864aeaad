// SPDX-License-Identifier: Apache-2.0
import HostSystem
package import SensorHistory
import TextFormats

/// A user's template for a line in a prompt or a status bar: `{mgdl} {arrow}`.
///
/// A name in braces is replaced; other braces are kept, so that the line may be JSON.
package struct LatestTemplate: Hashable, Sendable {
  enum Placeholder: String, CaseIterable {
    case mgdl, mmol, value, unit, arrow, direction, delta, age
    case ageMinutes = "age_minutes"
    case time, stale, state, serial
  }

  private enum Piece: Hashable, Sendable {
    case text(String)
    case placeholder(Placeholder)
  }

  package struct UnknownPlaceholder: Error, Hashable, Sendable {
    package let name: String
  }

  private let pieces: [Piece]

  package static var names: String { Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ") }

  package init(_ text: String) throws(UnknownPlaceholder) {
    var pieces: [Piece] = []
    var end = text.startIndex
    for match in text.matches(of: /\{([a-z_]+)\}/) {
      let name = String(match.1)
      guard let placeholder = Placeholder(rawValue: name) else { throw UnknownPlaceholder(name: name) }
      pieces += [.text(String(text[end..<match.range.lowerBound])), .placeholder(placeholder)]
      end = match.range.upperBound
    }
    self.pieces = pieces + [.text(String(text[end...]))]
  }

  /// The line, without its end. A stale value is marked even if no placeholder shows its age.
  package func text(of latest: LatestValue, unit: GlucoseUnit) -> String {
    let ages = [Placeholder.stale, .age, .ageMinutes, .time].map(Piece.placeholder)
    let showsAge = pieces.contains(where: ages.contains)
    let line = pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .placeholder(let name): SafeText.line(Self.text(name, latest, unit))
      }
    }.joined()
    return latest.isStale && !showsAge ? "\(line) \(LatestText.stale)" : line
  }

  private static func text(_ name: Placeholder, _ latest: LatestValue, _ unit: GlucoseUnit) -> String {
    switch name {
    case .mgdl: latest.mark + GlucoseUnit.milligramsPerDecilitre.shown(latest.concentration)
    case .mmol: latest.mark + GlucoseUnit.millimolesPerLitre.shown(latest.concentration)
    case .value: latest.mark + unit.shown(latest.concentration)
    case .unit: unit.rawValue
    case .arrow: latest.direction.arrow
    case .direction: latest.direction.rawValue
    case .delta: latest.change.map(unit.shown(change:)) ?? ""
    case .age: latest.ageMinutes.map(DurationText.ago) ?? "time unknown"
    case .ageMinutes: latest.ageMinutes.map(String.init) ?? ""
    case .time: latest.entry.time.map(LocalTime.text) ?? ""
    case .stale: latest.isStale ? LatestText.stale : ""
    case .state: latest.condition?.words ?? ""
    case .serial: latest.serial ?? ""
    }
  }
}

extension LatestValue {
  var serial: String? {
    switch entry {
    case .sensor(let stored): stored.sensor.serial
    case .imported(let imported): imported.device
    case .fingerStick, .bloodPressure: nil
    }
  }
}
