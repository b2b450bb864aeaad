// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import TextFormats

/// A value as an `sgv` of Nightscout, or a blood value as an `mbg`: the common part of both versions of its interface.
package struct NightscoutEntry {
  private let value: GlucoseValue
  private let id: SampleID
  private let ratePerMinute: Double?

  /// `ratePerMinute` is in mg/dL; nil if it is unknown.
  package init(_ value: GlucoseValue, id: SampleID, ratePerMinute: Double?) {
    (self.value, self.id, self.ratePerMinute) = (value, id, ratePerMinute)
  }

  /// Raises very low values, so that they raise an alarm: Nightscout shows "LOW" for exactly 39 and an error's name for
  /// most values below, and its simple alarms and its current value ignore values up to 39 (read: cgm-remote-monitor's
  /// lib/plugins/simplealarms.js and bgnow.js).
  private static let minimum = 40.0

  package var device: String {
    switch value.entry {
    case .sensor(let stored): "libre://\(stored.sensor.label)"
    case .imported(let imported): imported.device.map { "\(imported.source)://\($0)" } ?? imported.source
    case .fingerStick(let stick): stick.source ?? "libre://finger_stick"
    case .bloodPressure(let pressure): pressure.source ?? "libre://blood_pressure"
    }
  }

  package var identifier: String { Self.identifier(device: device, milliseconds: milliseconds).description }

  private static let namespace = Array("NightscoutRocks!".utf8)

  /// UUIDv5 of `device_date` in a namespace of sixteen ASCII letters (read: Nightscout's source; verified against two
  /// vectors: SampleSync/Receivers, "Nightscout v3").
  package static func identifier(device: String, milliseconds: Int) -> SampleID {
    SampleID(bytes: HashFunction.sha1.digest(of: namespace + "\(device)_\(milliseconds)".utf8), version: 5)
  }

  package var time: Instant { value.time }
  package var milliseconds: Int { Int(value.time.secondsSince1970) * 1_000 }

  package func writeValue(to json: inout JSONWriter) {
    if case .fingerStick = value.entry {
      json.member("type", "mbg")
      return json.member("mbg", value.concentration.milligramsPerDecilitre, places: 0)
    }
    json.member("type", "sgv")
    json.member("sgv", max(Self.minimum, value.concentration.milligramsPerDecilitre), places: 0)
  }

  /// Writes ids in members of our own, which the site keeps.
  package func writeIDs(_ context: ExportContext, to json: inout JSONWriter) {
    json.member("sample_id", id.description)
    json.memberIfKnown(SampleJSON.referenceID, context.person)
  }

  package func writeDirection(to json: inout JSONWriter) {
    json.memberIfKnown("direction", ratePerMinute.map { TrendDirection(ratePerMinute: $0).rawValue })
  }
}
