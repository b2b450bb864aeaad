// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import TextFormats

/// A value as an `sgv` of Nightscout, or a blood value as an `mbg`: the common part of both versions of its interface.
struct NightscoutEntry {
  let sample: SentSample

  /// Minimum value to send, so that a very low value raises an alarm.
  ///
  /// Nightscout shows "LOW" for exactly 39 and an error's name for most values below; its simple alarms and its current
  /// value ignore values up to 39 (read: cgm-remote-monitor's lib/plugins/simplealarms.js and bgnow.js).
  private static let minimum = 40.0

  /// Returns a batch's entries, oldest first, one for each minute: the site identifies an entry by time and type, so
  /// the second entry of a minute would replace the first. The history's value is kept.
  static func entries(of batch: SampleBatch) -> [NightscoutEntry] {
    let sent = batch.sent
    let historic = Set(sent.lazy.filter { $0.ring == .history }.map(\.time))
    return sent.filter { $0.value.bound == nil && ($0.ring != .trend || !historic.contains($0.time)) }
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

  /// Name of the device: `libre://SERIAL`; for an imported value its program and device.
  var device: String {
    switch sample.entry {
    case .sensor(let stored): "libre://\(stored.sensor.label)"
    case .imported(let imported): imported.device.map { "\(imported.source)://\($0)" } ?? imported.source
    case .fingerStick(let stick): stick.source ?? "libre://finger_stick"
    case .bloodPressure(let pressure): pressure.source ?? "libre://blood_pressure"
    }
  }

  /// Identifier of the document in version 3.
  var identifier: String { NightscoutIdentifier.id(device: device, milliseconds: milliseconds).description }

  var milliseconds: Int { Int(sample.time.secondsSince1970) * 1_000 }

  /// Writes `type`, and `sgv` or `mbg` in whole mg/dL.
  func writeValue(to json: inout JSONWriter) {
    if case .fingerStick = sample.entry {
      json.member("type", "mbg")
      return json.member("mbg", sample.milligramsPerDecilitre, places: 0)
    }
    json.member("type", "sgv")
    json.member("sgv", max(Self.minimum, sample.milligramsPerDecilitre), places: 0)
  }

  /// Writes the ids of the person and of the value in members of our own, which the site keeps.
  func writeIDs(_ context: ExportContext, to json: inout JSONWriter) {
    json.member("sample_id", sample.id.description)
    json.memberIfKnown(SampleJSON.referenceID, context.person)
  }

  /// Writes `direction` if it is known.
  func writeDirection(to json: inout JSONWriter) {
    if let direction = sample.direction { json.member("direction", direction.rawValue) }
  }
}

/// Identifier of a document in version 3: UUIDv5 of `device_date` in a namespace of sixteen ASCII letters (read:
/// Nightscout's source; verified against two vectors: SampleSinks/Receivers, "Nightscout v3").
enum NightscoutIdentifier {
  private static let namespace = Array("NightscoutRocks!".utf8)

  static func id(device: String, milliseconds: Int) -> SampleID {
    SampleID(bytes: HashFunction.sha1.digest(of: namespace + "\(device)_\(milliseconds)".utf8), version: 5)
  }
}
