// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import HistoryFormats
import TextFormats

/// Members of our own documents for a sent sample: with the part `raw` all of `libre.sample/1`, as always for an
/// imported value or a finger-stick, which has no counts; otherwise only a few.
enum SentSampleJSON {
  static func write(_ sample: SentSample, withRaw: Bool, person: String? = nil, to writer: inout JSONWriter) {
    guard !withRaw, let stored = sample.stored else {
      return SampleJSON.write(sample.entry, unit: .milligramsPerDecilitre, person: person, to: &writer)
    }
    writer.object { json in
      json.member("id", sample.id.description)
      json.memberIfKnown(SampleJSON.referenceID, person)
      json.member("ring", stored.sample.ring.rawValue)
      json.member("minute", stored.sample.minute.value)
      json.member("time", sample.time.rfc3339)
      SampleJSON.write(sample.value.concentration, unit: .milligramsPerDecilitre, to: &json)
    }
  }

  private static let few = ["id", "ring", "minute", "time", "glucose_mg_dl"]

  /// Fields that `write` writes, except `reference_id`.
  static func fields(at place: String) -> [SinkField] {
    let whole = wholeFields(at: place).filter { field in !few.contains { place + $0 == field.theirs } }
    return SinkField.own(few, in: place)
      + whole.map { $0.parts.isEmpty ? $0.with([.raw, .imported, .fingerSticks]) : $0 }
  }

  /// All fields of `libre.sample/1`, except `reference_id`.
  static func wholeFields(at place: String) -> [SinkField] {
    [.always("\(place)schema", SampleJSON.schema)]
      + SinkField.own(
        [
          "id", "uid", "serial", "wear", "ring", "minute", "time", "raw", "raw.glucose", "raw.temperature",
          "raw.temperature_adjustment", "raw.has_error", "raw.error_field", "quality", "errors", "temperature_c",
          "glucose_mg_dl", "model_glucose_mg_dl", "family", "fingerprint", "salvaged",
        ], in: place)
      + [SinkField("calibration", "\(place)calibration.*", "the model and its numbers")]
      + SinkField.own(["source"], in: place, with: .imported, .fingerSticks)
      + SinkField.own(["device", "bound"], in: place, with: .imported)
      + SinkField.own(["note"], in: place, with: .fingerSticks)
  }

  /// Statistics of a batch's history values, with the names of `libre.stats/1`.
  static func writeStatistics(of samples: [SentSample], _ context: ExportContext, to writer: inout JSONWriter) {
    var quarters = QuarterHours()
    for sample in samples { quarters.add(sample.value.entry) }
    let total = StatisticsByDay(quarters, from: nil, to: nil, clock: context.clock).total
    writer.object { total.writeMembers(to: &$0) }
  }
}
