// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore
import TextFormats

/// `/api/v2/properties[/names]`: what Nightscout's plug-ins reckon from the newest values, for menu bars and widgets.
///
/// `bgnow`, `buckets`, `delta` and `direction`; an unknown name is left out of the answer. Insulin and carbohydrates
/// are not stored here, so `iob` and `cob` are left out too.
struct PropertiesEndpoint: Endpoint {
  /// A direction is only given while the newest value is younger.
  private static let currentSeconds: Int64 = 900

  func answer(_ request: ServerRequest, _ context: ServerContext) throws(StoreError) -> ServerAnswer? {
    let api = request.api
    guard api.version == 2, api.parts.first == "properties", api.parts.count <= 2 else { return nil }
    let names = api.parts.dropFirst().first.map { Set($0.split(separator: ",").map(String.init)) }
    func isWanted(_ name: String) -> Bool { names?.contains(name) ?? true }
    // Half an hour of every minute, which buckets and change look at.
    let values = try context.glucose(GlucoseSelection(from: context.undatedStart, limit: 32, interval: 0))
    var json = JSONWriter(indented: request["pretty"] != nil)
    json.object { json in
      guard let newest = values.first else { return }
      let buckets = GlucoseBucket.newest(of: values)
      if isWanted("bgnow"), let bucket = buckets.first {
        json.member("bgnow") { json in json.object { bucket.writeValues(context.unit, to: &$0) } }
      }
      if isWanted("buckets") {
        json.member("buckets") { $0.array(buckets) { $1.write(context.unit, to: &$0) } }
      }
      if isWanted("delta"), let change = GlucoseChange(values) {
        json.member("delta") { change.write(context.unit, to: &$0) }
      }
      if isWanted("direction"), context.now.secondsSince1970 - newest.time.secondsSince1970 <= Self.currentSeconds {
        json.member("direction") { Self.writeDirection(newest.direction, to: &$0) }
      }
    }
    return ServerAnswer(contentType: AnswerFormat.json.contentType, body: json.bytes).revalidated(for: request)
  }

  private static func writeDirection(_ direction: TrendDirection?, to json: inout JSONWriter) {
    let wire = WireDirection(direction)
    json.object { json in
      json.member("display", String?.none)
      json.member("value", wire.word)
      json.member("label", wire.arrow)
      json.member("entity", "&#\(wire.arrow.unicodeScalars.first?.value ?? 45);")
    }
  }
}

/// The values of five minutes; the newest value is in the middle of the first bucket.
private struct GlucoseBucket {
  private static let seconds: Int64 = 300

  let index: Int
  let from: Instant
  let to: Instant
  /// Newest first.
  let values: [ServedGlucose]

  static func newest(of values: [ServedGlucose]) -> [GlucoseBucket] {
    guard let newest = values.first else { return [] }
    return (0..<4).map { index in
      let from = newest.time.adding(seconds: -seconds / 2 - Int64(index) * seconds)
      let to = from.adding(seconds: seconds)
      return GlucoseBucket(
        index: index, from: from, to: to, values: values.filter { $0.time >= from && $0.time < to })
    }
  }

  func write(_ unit: GlucoseUnit, to json: inout JSONWriter) {
    json.object { json in
      json.member("index", index)
      json.member("fromMills", from.milliseconds)
      json.member("toMills", to.milliseconds)
      writeValues(unit, to: &json)
    }
  }

  func writeValues(_ unit: GlucoseUnit, to json: inout JSONWriter) {
    guard let newest = values.first else { return json.member("isEmpty", true) }
    let sum = values.reduce(0) { $0 + $1.wireValue }
    json.member("mean", Int(saturating: (Double(sum) / Double(values.count)).rounded()))
    json.member("last", newest.wireValue)
    json.member("mills", newest.time.milliseconds)
    json.member("sgvs") { $0.array(values) { $1.writeAsSGV(unit, to: &$0) } }
  }
}

extension ServedGlucose {
  fileprivate func writeAsSGV(_ unit: GlucoseUnit, to json: inout JSONWriter) {
    json.object { json in
      json.member("_id", id)
      json.member("mgdl", wireValue)
      json.member("mills", time.milliseconds)
      json.member("device", device)
      json.member("direction", WireDirection(direction).word)
      json.member("type", "sgv")
      json.member("scaled", unit.shownByNightscout(Double(wireValue)), places: unit.places)
    }
  }
}

extension GlucoseChange {
  fileprivate func write(_ unit: GlucoseUnit, to json: inout JSONWriter) {
    let display = shown(in: unit)
    json.object { json in
      if let previous, let elapsedMinutes {
        json.member("absolute", newest.wireValue - previous.wireValue)
        json.member("elapsedMins", elapsedMinutes)
      }
      json.member("interpolated", isInterpolated)
      json.member("mean5MinsAgo", Double(newest.wireValue) - inFiveMinutes, places: 1)
      // Programs written in Go read a whole number here, in whatever unit the rest is.
      json.member("mgdl", Int(saturating: inFiveMinutes.rounded()))
      json.member("scaled", display, places: unit.places)
      json.member("display", "\(display < 0 ? "" : "+")\(DecimalText.shortest(display, places: unit.places))")
      json.member("times") { json in
        json.object { json in
          json.member("recent", newest.time.milliseconds)
          if let previous { json.member("previous", previous.time.milliseconds) }
        }
      }
      if let previous {
        json.member("previous") { json in
          json.object { json in
            json.member("mean", previous.wireValue)
            json.member("last", previous.wireValue)
            json.member("mills", previous.time.milliseconds)
            json.member("sgvs") { $0.array([previous]) { $1.writeAsSGV(unit, to: &$0) } }
          }
        }
      }
    }
  }
}
