// SPDX-License-Identifier: Apache-2.0
import CGMModel
package import TextFormats

/// An array of Tidepool's `cbg` (sensor) and `smbg` (blood) records, of which its data service accepts 1000 at once.
struct TidepoolWriter: HistoryWriter {
  let name = "tidepool"
  let summary = "Tidepool's JSON records: cbg and smbg"

  func document(_ context: ExportContext) -> any HistoryDocument {
    RecordDocument(head: "[\n", separator: ",\n", tail: "\n]\n", holdsNotes: false) { entry throws(Omission) in
      try JSONWriter.line { json throws(Omission) in
        try TidepoolDatum.write(GlucoseValue(entry), context, to: &json)
      }
    }
  }
}

/// One record (HistoryFormats/Formats, "tidepool").
package enum TidepoolDatum {
  /// Writes a record. `rate` is in mg/dL per minute.
  ///
  /// - Throws: `withoutID`, and `outOfRange` outside 0…1000 mg/dL or 0…55 mmol/L.
  package static func write(
    _ value: GlucoseValue, ratePerMinute rate: Double? = nil, _ context: ExportContext, to writer: inout JSONWriter
  ) throws(Omission) {
    let id = try value.requiredID
    let (glucose, limit) = beyondLimit(value)
    let isMass = context.unit == .milligramsPerDecilitre
    let number = isMass ? glucose : glucose / ShownGlucose.preciseMilligrams
    guard (0...(isMass ? 1000 : 55)).contains(number) else { throw .outOfRange }
    let local = LocalMoment(value.time, context)
    writer.object { json in
      writeKind(value.entry, to: &json)
      json.member("time", value.time.rfc3339Milliseconds)
      json.member("deviceTime", "\(local.date)T\(local.time)")
      json.member("timezoneOffset", local.offsetMinutes)
      json.member("deviceId", deviceID(value.entry, context))
      json.member("units", context.unit.rawValue)
      json.member("value", number, places: isMass ? 4 : 5)
      if let limit, let bound = value.bound {
        json.objects("annotations", [bound]) { json, bound in
          json.member("code", "bg/out-of-range")
          json.member("value", bound.rawValue)
          json.member("threshold", limit, places: 0)
        }
      }
      if let rate {
        json.member("trend", trend(TrendDirection(ratePerMinute: rate)))
        json.member("trendRate", isMass ? rate : rate / ShownGlucose.preciseMilligrams, places: isMass ? 2 : 5)
        json.member("trendRateUnits", "\(context.unit.rawValue)/minute")
      }
      if let person = context.person { json.object("payload") { $0.member(SampleJSON.referenceID, person) } }
      json.object("origin") { json in
        json.member("id", id.description)
        json.member("name", context.program)
        json.member("time", context.now.rfc3339Milliseconds)
        json.member("type", "application")
        json.member("version", context.version)
      }
    }
  }

  /// Returns the number to write in mg/dL, and the limit that it exceeds.
  private static func beyondLimit(_ value: GlucoseValue) -> (glucose: Double, limit: Double?) {
    let glucose = value.concentration.milligramsPerDecilitre
    let limit = glucose.rounded(.toNearestOrAwayFromZero)
    switch value.bound {
    case .low: return (limit - 1, limit)
    case .high: return (limit + 1, limit)
    case nil: return (glucose, nil)
    }
  }

  private static func trend(_ direction: TrendDirection) -> String? {
    switch direction {
    case .doubleUp: "rapidRise"
    case .singleUp: "moderateRise"
    case .fortyFiveUp: "slowRise"
    case .flat: "constant"
    case .fortyFiveDown: "slowFall"
    case .singleDown: "moderateFall"
    case .doubleDown: "rapidFall"
    case .notComputable: nil
    }
  }

  private static func writeKind(_ entry: HistoryEntry, to json: inout JSONWriter) {
    switch entry {
    case .sensor(let stored):
      json.member("type", "cbg")
      switch stored.sample.ring {
      case .history:
        json.member("sampleInterval", 900_000)
        // Read from the sensor's memory, up to eight hours after the measurement.
        json.member("backfilled", true)
      case .trend: json.member("sampleInterval", 60_000)
      }
    case .imported, .bloodPressure: json.member("type", "cbg")
    case .fingerStick(let stick):
      json.member("type", "smbg")
      if stick.source == nil { json.member("subType", "manual") }
    }
  }

  /// Returns an id that is the same at each upload and different for each device.
  private static func deviceID(_ entry: HistoryEntry, _ context: ExportContext) -> String {
    switch entry {
    case .sensor(let stored): "Libre-\(stored.sensor.serial ?? stored.sensor.uid?.description ?? "")"
    case .imported(let imported): imported.device.map { "\(imported.source)-\($0)" } ?? imported.source
    case .fingerStick(let stick): stick.source ?? "\(context.program)-manual"
    case .bloodPressure(let pressure): pressure.source ?? context.program
    }
  }
}
