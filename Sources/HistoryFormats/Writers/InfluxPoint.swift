// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import TextFormats

/// A value, or the facts of its sensor, as a line of InfluxDB's protocol: one point.
package enum InfluxPoint {
  package static func line(
    of value: GlucoseValue, id: SampleID, _ context: ExportContext, withRaw: Bool
  ) -> [UInt8] {
    let stored = value.entry.stored
    var line = InfluxLine("glucose", tags: tags(of: value.entry))
    line.add("mgdl", value.concentration.milligramsPerDecilitre, places: 4)
    if let minute = stored?.sample.minute { line.add("minute", minute.value) }
    // Fields: as a tag, each id would create its own series.
    line.add("sample_id", id.description)
    if let person = context.person { line.add(SampleJSON.referenceID, person) }
    if withRaw, let stored {
      let raw = stored.sample.raw
      line.add("raw", Int(raw.glucose))
      line.add("raw_temperature", Int(raw.temperature))
      line.add("raw_temperature_adjustment", Int(raw.temperatureAdjustment))
      if let celsius = stored.sample.temperatureCelsius, celsius.isFinite {
        line.add("temperature_c", celsius, places: 2)
      }
      line.add("quality", stored.sample.quality.rawValue)
    }
    return line.bytes(at: value.time)
  }

  private static func tags(of entry: HistoryEntry) -> [(name: String, value: String)] {
    switch entry {
    case .sensor(let stored): return [("sensor", stored.sensor.label), ("source", stored.sample.ring.rawValue)]
    case .imported(let imported):
      let source = imported.source.isEmpty ? "imported" : imported.source
      let device = imported.device.map { $0.isEmpty ? [] : [("sensor", $0)] } ?? []
      return device + [("source", source)] + (imported.bound.map { [("bound", $0.rawValue)] } ?? [])
    case .fingerStick, .bloodPressure: return [("source", SampleJSON.fingerStickRing)]
    }
  }

  /// Returns a point at the time of the last scan; nothing without one.
  package static func line(of sensor: WearFacts, _ context: ExportContext) -> [UInt8] {
    guard let time = sensor.lastReadAt else { return [] }
    var line = InfluxLine("glucose_sensor", tags: [("sensor", sensor.identity.label)])
    line.add("wear", sensor.wear)
    if let person = context.person { line.add(SampleJSON.referenceID, person) }
    if let state = sensor.lastState { line.add("state", state.name) }
    if let start = sensor.activatedAt { line.add("activated_at", Int(start.secondsSince1970)) }
    if let end = sensor.expiresAt { line.add("expires_at", Int(end.secondsSince1970)) }
    return line.bytes(at: time)
  }
}
