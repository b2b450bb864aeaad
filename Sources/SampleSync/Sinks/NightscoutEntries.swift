// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats

extension NightscoutEntry {
  init(_ sample: SentSample) { self.init(sample.value, id: sample.id, ratePerMinute: sample.ratePerMinute) }

  /// A batch's entries, oldest first, one for each minute: the site identifies an entry by time and type, so
  /// the second entry of a minute would replace the first. The history's value is kept.
  static func entries(of batch: SampleBatch) -> [NightscoutEntry] {
    let historic = Set(batch.sent.lazy.filter { $0.ring == .history }.map(\.time))
    return batch.sent.filter { $0.value.bound == nil && ($0.ring != .trend || !historic.contains($0.time)) }
      .map { NightscoutEntry($0) }
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
}
