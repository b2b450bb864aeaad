// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import GlucoseReport
import HostSystem
package import LibreKit
import SensorHistory
import TextFormats

/// A reading as text: the sensor, its current value, problems, and all samples with their local times.
package struct ReadingTable: Sendable {
  private let unit: GlucoseUnit
  private let style: Style
  private let characters: TerminalCharacters?

  /// Creates a text; with `characters`, a reading of a known time ends with a picture of its eight hours.
  package init(unit: GlucoseUnit, style: Style, characters: TerminalCharacters? = nil) {
    self.unit = unit
    self.style = style
    self.characters = characters
  }

  /// Lines, each with its line end. `person` is the owner of the sensor, where several people are known.
  package func text(of reading: SensorReading, includesSamples: Bool = true, person: String? = nil) -> String {
    let rings =
      includesSamples ? [samples(reading.trend, titled: "Trend"), samples(reading.history, titled: "History")] : []
    let sections =
      [[headline(reading)] + facts(reading, person), current(reading), problems(reading)] + rings
      + [sparkline(reading), [Program.disclaimer]]
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  /// Lines about a sensor that names itself although it cannot be read; none for another error.
  package func text(of error: LibreError) -> String {
    guard let sensor = error.libre3 else { return "" }
    let name = [error.product?.name ?? error.family?.productName, sensor.serial].compactMap(\.self)
    let state = sensor.state.map { Self.words($0.name) } ?? "in unknown state"
    let life = sensor.maxLifeMinutes.map { ", made for \(DurationText.of(minutes: $0))" } ?? ""
    let head = "\(style.bold(name.joined(separator: " "))): \(state)\(life)"
    return ([head] + Columns.facts(["product": error.product?.caution])).map { $0 + "\n" }.joined()
  }

  private func headline(_ reading: SensorReading) -> String {
    let sensor = reading.sensor
    let name = [sensor.identity.productName, sensor.serial].compactMap(\.self).joined(separator: " ")
    return "\(style.bold(name)): \(Self.words(sensor.state)), \(life(of: sensor))"
  }

  private func life(of sensor: SensorDescription) -> String {
    let age = "\(DurationText.of(minutes: sensor.ageMinutes)) old"
    guard let limit = sensor.maxLifeMinutes else { return age }
    return "\(age), made for \(DurationText.of(minutes: limit))"
  }

  private func facts(_ reading: SensorReading, _ person: String?) -> [String] {
    let sensor = reading.sensor
    let readAt = reading.readAt.map { "\(LocalTime.text($0)) (\(Self.words(reading.readAtSource)))" }
    let end = sensor.expiresAt.map { ", ends \(LocalTime.text($0))" } ?? ""
    let log = sensor.endOfLife.map { "left \(Self.words($0.leftState)) at minute \($0.minute)" }
    let regions = zip(["header", "body", "footer"], reading.integrity.verdicts).map { "\($0) \($1.name)" }
    let entry = reading.calibration.flatMap { CalibrationEntry.named($0.model) }
    return Columns.facts([
      "person": person,
      "file": reading.source.path.map { "\(SafeText.line($0)) (\(reading.source.formatText))" },
      "reader": reading.reader.map { "\($0.name) (\($0.address))" },
      "read": readAt ?? "unknown time: add --read-at TIME",
      "started": sensor.activatedAt.map { LocalTime.text($0) + end },
      "UID": sensor.uid?.words(with: sensor.patchInfo),
      "product": sensor.identity.product?.caution,
      "region": sensor.region?.words,
      "log": log.isEmpty ? nil : log.joined(separator: ", "),
      "failure": sensor.failure.map { "\($0.text ?? "not described") (code \($0.code)) at minute \($0.minute)" },
      "checksums": regions.joined(separator: ", "),
      "calibration": reading.calibration.map { $0.words(Self.words($0.basis)) },
      "": entry?.summary,
      "": entry?.caution,
    ])
  }

  /// The line of the current value, to be repeated where the samples have pushed it off the screen; nil without a value.
  package func valueLine(of reading: SensorReading) -> String? { current(reading).first.map { $0 + "\n" } }

  private func current(_ reading: SensorReading) -> [String] {
    guard let current = reading.current else { return [] }
    let sample = reading.trend.first { $0.minute == current.minute }
    let rate =
      current.ratePerMinute.map { "\(unit.shown(ratePerMinute: $0)) \(unit.rawValue) per minute" } ?? "rate unknown"
    let when = sample?.time.map(LocalTime.text) ?? "minute \(current.minute)"
    let value = style.bold("\(unit.shown(current.concentration)) \(unit.rawValue) \(current.direction.arrow)")
    return ["\(value)  \(rate), \(when)"]
  }

  private func problems(_ reading: SensorReading) -> [String] {
    reading.problems.flatMap { ["\(style.warning("Note")): \($0.message)", "  Try: \($0.resolution)"] }
  }

  private func sparkline(_ reading: SensorReading) -> [String] {
    guard let characters, let readAt = reading.readAt else { return [] }
    func points(_ samples: [GlucoseSample]) -> [GlucosePoint] {
      samples.compactMap { sample in
        sample.time.flatMap { time in sample.usableConcentration.map { GlucosePoint(time: time, concentration: $0) } }
      }
    }
    let shown = Sparkline.points(history: points(reading.history), trend: points(reading.trend))
    // The same end as that of `libre latest`.
    let end = shown.last?.time ?? readAt
    return Sparkline(shown, to: end, unit: unit, clock: .local, characters: characters).lines.map(style.text)
  }

  private func samples(_ samples: [GlucoseSample], titled title: String) -> [String] {
    guard !samples.isEmpty else { return [style.bold("\(title): no samples")] }
    let isDated = samples.contains { $0.time != nil }
    let head = ["minute"] + (isDated ? ["time"] : []) + [unit.rawValue, "°C", "counts"]
    let rows = samples.map { sample in
      [sample.minute.description] + (isDated ? [sample.time.map(LocalTime.text) ?? ""] : [])
        + [
          sample.usableConcentration.map(unit.shown) ?? "–",
          sample.temperatureCelsius.map { DecimalText.fixed($0, places: 1) } ?? "–", String(sample.raw.glucose),
        ]
    }
    let alignments: [Columns.Alignment] = [.right] + (isDated ? [.left] : []) + [.right, .right, .right]
    let lines = zip(Columns.lines([head] + rows, alignments), ["quality"] + samples.map(words)).map { "\($0)  \($1)" }
    return [style.bold(title)] + [style.dim("  " + lines[0])] + lines.dropFirst().map { "  " + $0 }
  }

  private func words(for sample: GlucoseSample) -> String {
    let quality = Self.words(sample.quality.rawValue)
    let errors = sample.raw.errors.names.map(Self.words)
    let text = errors.isEmpty ? quality : "\(quality): \(errors.joined(separator: ", "))"
    return sample.quality == .ok ? text : style.warning(text)
  }

  private static func words(_ state: SensorState) -> String {
    switch state {
    case .unknown(let raw?): "in unknown state \(raw)"
    case .unknown(nil): "in unknown state"
    case .notActivated, .warmingUp, .active, .expired, .shutdown, .failure: words(state.name)
    }
  }

  private static func words(_ source: ReadTimeSource) -> String {
    switch source {
    case .clock: "by this computer's clock"
    case .option: "from --read-at"
    case .file: "from the file"
    case .modificationTime: "modification time of the file"
    case .unknown: "unknown"
    }
  }

  private static func words(_ basis: CalibrationBasis?) -> String {
    switch basis {
    case .scan: " from this scan only"
    case .store: " from all scans in the store"
    case nil: ""
    }
  }

  private static func words(_ name: String) -> String { name.replacing("_", with: " ") }
}

/// Facts that both a reading and the store state about a sensor.
extension SensorUID {
  func words(with patchInfo: PatchInfo?) -> String { "\(self)\(patchInfo.map { ", patch info \($0)" } ?? "")" }
}

extension SensorProduct {
  /// The words for a name that may be wrong.
  var caution: String? { isOfOneSource ? "\(name), as only one program calls it" : nil }
}

extension SensorRegion {
  var words: String { name.replacing("_", with: " ") }
}

extension CalibrationDescription {
  func words(_ basis: String = "") -> String {
    let numbers = parameters.map { "\($0.name) \(DecimalText.shortest($0.value, places: 6))" }
    return "\(model), version \(version)\(basis): \(numbers.joined(separator: ", "))"
  }
}

extension ReadingSource {
  /// The name of the format, or the place where a search found the memory: `found: hex in lines 812–855`.
  fileprivate var formatText: String { found.map { "found: \($0.text)" } ?? format ?? "?" }
}
