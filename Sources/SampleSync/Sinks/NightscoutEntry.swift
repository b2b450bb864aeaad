// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import TextFormats

/// A value as an `sgv` of Nightscout, or a blood value as an `mbg`: the common part of both versions of its interface.
struct NightscoutEntry {
  let sample: SentSample

  /// Raises very low values, so that they raise an alarm: Nightscout shows "LOW" for exactly 39 and an error's name for
  /// most values below, and its simple alarms and its current value ignore values up to 39 (read: cgm-remote-monitor's
  /// lib/plugins/simplealarms.js and bgnow.js).
  private static let minimum = 40.0

  /// A batch's entries, oldest first, one for each minute: the site identifies an entry by time and type, so
  /// the second entry of a minute would replace the first. The history's value is kept.
  static func entries(of batch: SampleBatch) -> [NightscoutEntry] {
    let historic = Set(batch.sent.lazy.filter { $0.ring == .history }.map(\.time))
    return batch.sent.filter { $0.value.bound == nil && ($0.ring != .trend || !historic.contains($0.time)) }
      .map { NightscoutEntry(sample: $0) }
  }

  static func fields(at place: String) -> [SinkField] {
    [
      SinkField("ring", "\(place)type", "sgv, or mbg for blood"),
      SinkField("glucose_mg_dl", "\(place)sgv", "whole mg/dL, at least 40"),
      SinkField("glucose_mg_dl", "\(place)mbg", "whole mg/dL", with: .fingerSticks),
      SinkField("time", "\(place)date", "milliseconds since 1970"),
      SinkField("direction", "\(place)direction", with: .trend),
      SinkField("serial", "\(place)device", "libre://SERIAL"),
      SinkField("device", "\(place)device", "SOURCE://DEVICE", with: .imported),
      SinkField("source", "\(place)device", with: .fingerSticks),
      SinkField("id", "\(place)sample_id"),
      SinkField("reference_id", "\(place)reference_id"),
    ]
  }

  var device: String {
    switch sample.entry {
    case .sensor(let stored): "libre://\(stored.sensor.label)"
    case .imported(let imported): imported.device.map { "\(imported.source)://\($0)" } ?? imported.source
    case .fingerStick(let stick): stick.source ?? "libre://finger_stick"
    case .bloodPressure(let pressure): pressure.source ?? "libre://blood_pressure"
    }
  }

  var identifier: String { Self.identifier(device: device, milliseconds: milliseconds).description }

  private static let namespace = Array("NightscoutRocks!".utf8)

  /// UUIDv5 of `device_date` in a namespace of sixteen ASCII letters (read: Nightscout's source; verified against two
  /// vectors: SampleSync/Receivers, "Nightscout v3").
  static func identifier(device: String, milliseconds: Int) -> SampleID {
    SampleID(bytes: HashFunction.sha1.digest(of: namespace + "\(device)_\(milliseconds)".utf8), version: 5)
  }

  var milliseconds: Int { Int(sample.time.secondsSince1970) * 1_000 }

  func writeValue(to json: inout JSONWriter) {
    if case .fingerStick = sample.entry {
      json.member("type", "mbg")
      return json.member("mbg", sample.milligramsPerDecilitre, places: 0)
    }
    json.member("type", "sgv")
    json.member("sgv", max(Self.minimum, sample.milligramsPerDecilitre), places: 0)
  }

  /// Writes ids in members of our own, which the site keeps.
  func writeIDs(_ context: ExportContext, to json: inout JSONWriter) {
    json.member("sample_id", sample.id.description)
    json.memberIfKnown(SampleJSON.referenceID, context.person)
  }

  func writeDirection(to json: inout JSONWriter) {
    if let direction = sample.direction { json.member("direction", direction.rawValue) }
  }
}
