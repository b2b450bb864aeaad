// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore
import TextFormats

/// Numbers that Nightscout's plug-ins reckon from the newest values (GlucoseServer/ClientsAndPaths, "Properties").
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
        json.object("bgnow") { GlucoseBucket.writeValues(bucket.values, context.unit, to: &$0) }
      }
      if isWanted("buckets") {
        json.objects("buckets", buckets) { json, bucket in
          json.member("index", bucket.index)
          json.member("fromMills", bucket.from.milliseconds)
          json.member("toMills", bucket.to.milliseconds)
          GlucoseBucket.writeValues(bucket.values, context.unit, to: &json)
        }
      }
      if isWanted("delta"), let change = GlucoseChange(values) {
        json.member("delta") { change.write(context.unit, to: &$0) }
      }
      if isWanted("direction"), context.now.secondsSince1970 - newest.time.secondsSince1970 <= Self.currentSeconds {
        let wire = WireDirection(newest.direction)
        json.object("direction") {
          $0.members([
            "display": .null, "value": .text(wire.word), "label": .text(wire.arrow),
            "entity": .text("&#\(wire.arrow.unicodeScalars.first?.value ?? 45);"),
          ])
        }
      }
    }
    return ServerAnswer(contentType: AnswerFormat.json.contentType, body: json.bytes).revalidated(for: request)
  }
}

/// Values as text, for clocks, followers and exporters (GlucoseServer/ClientsAndPaths, "Pebble").
struct PebbleEndpoint: Endpoint {
  func answer(_ request: ServerRequest, _ context: ServerContext) throws(StoreError) -> ServerAnswer? {
    let api = request.api
    guard api.parts == ["pebble"], api.version != 3 else { return nil }
    let query = FindQuery(request)
    let unit = GlucoseUnit.allCases.first { $0.wireName == request["units"]?.lowercased() } ?? context.unit
    // One more than asked for, to know how the newest changed.
    var selection = GlucoseSelection(from: context.undatedStart, limit: max(2, query.count ?? 1))
    selection.interval = request.interval
    let values = try context.glucose(selection)
    return .object { json in
      json.objects("status", [context.now]) { $0.member("now", $1.milliseconds) }
      json.objects("bgs", Array(values.prefix(query.count ?? 1).enumerated())) { json, row in
        let value = row.element
        let direction = WireDirection(value.direction)
        json.member("sgv", DecimalText.fixed(unit.shownByNightscout(Double(value.wireValue)), places: unit.places))
        json.member("trend", direction.number)
        json.member("direction", direction.word)
        json.member("datetime", value.time.milliseconds)
        guard row.offset == 0 else { return }
        // A number in mg/dL and a text in mmol/L, as Nightscout has it; 0 if it is not known.
        let change = GlucoseChange(values)?.shown(in: unit) ?? 0
        switch unit {
        case .milligramsPerDecilitre: json.member("bgdelta", Int(saturating: change))
        case .millimolesPerLitre: json.member("bgdelta", DecimalText.shortest(change, places: 1))
        }
      }
      json.member("cals", [String]())
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
      return GlucoseBucket(index: index, from: from, to: to, values: values.filter { $0.time >= from && $0.time < to })
    }
  }

  static func writeValues(_ values: [ServedGlucose], _ unit: GlucoseUnit, to json: inout JSONWriter) {
    guard let newest = values.first else { return json.member("isEmpty", true) }
    let sum = values.reduce(0) { $0 + $1.wireValue }
    json.member("mean", Int(saturating: (Double(sum) / Double(values.count)).rounded()))
    json.member("last", newest.wireValue)
    json.member("mills", newest.time.milliseconds)
    json.objects("sgvs", values) { json, value in
      json.members([
        "_id": .text(value.id), "mgdl": .whole(value.wireValue), "mills": .milliseconds(value.time),
        "device": .text(value.device), "direction": .text(WireDirection(value.direction).word), "type": .text("sgv"),
      ])
      json.member("scaled", unit.shownByNightscout(Double(value.wireValue)), places: unit.places)
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
      json.object("times") { json in
        json.member("recent", newest.time.milliseconds)
        if let previous { json.member("previous", previous.time.milliseconds) }
      }
      if let previous {
        json.object("previous") { GlucoseBucket.writeValues([previous], unit, to: &$0) }
      }
    }
  }
}

/// Change of the newest of some values, by one of up to half an hour before, so that history has one too.
struct GlucoseChange {
  /// Seconds before the newest value in which an earlier one is looked for: nearer ones are noise.
  private static let range: ClosedRange<Int64> = 150...1_800
  /// Minutes from which on Nightscout calls a change interpolated.
  private static let longestMeasured = 9

  let newest: ServedGlucose
  /// nil where only the change itself is known.
  let previous: ServedGlucose?
  /// mg/dL in five minutes.
  let inFiveMinutes: Double

  /// The values are newest first.
  init?(_ values: some RandomAccessCollection<ServedGlucose>) {
    guard let newest = values.first else { return nil }
    self.newest = newest
    func age(_ value: ServedGlucose) -> Int64 { newest.time.secondsSince1970 - value.time.secondsSince1970 }
    // The one nearest to five minutes before.
    previous = values.dropFirst().prefix { age($0) <= Self.range.upperBound }.filter { Self.range.contains(age($0)) }
      .min { abs(age($0) - 300) < abs(age($1) - 300) }
    if let delta = newest.delta {
      inFiveMinutes = delta
    } else if let previous {
      inFiveMinutes = Double(newest.wireValue - previous.wireValue) * 300 / Double(age(previous))
    } else {
      return nil
    }
  }

  /// Change in five minutes, rounded as Nightscout shows values in this unit.
  func shown(in unit: GlucoseUnit) -> Double { unit.shownByNightscout(inFiveMinutes) }

  var elapsedMinutes: Int? {
    previous.map { Int(newest.time.secondsSince1970 - $0.time.secondsSince1970 + 30) / 60 }
  }

  /// True where the value of five minutes before was not measured.
  var isInterpolated: Bool { elapsedMinutes.map { $0 > Self.longestMeasured } ?? true }
}
