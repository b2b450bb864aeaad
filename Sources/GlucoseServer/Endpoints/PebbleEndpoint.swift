// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore
import TextFormats

/// `/pebble`, made for a watch and read by clocks, followers and exporters: values as text in the unit that people read.
///
/// `count` is how many values (1), `units=mmol` or `units=mg/dl` another unit.
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
      json.member("status") {
        $0.array([context.now]) { json, now in
          json.object { $0.member("now", now.milliseconds) }
        }
      }
      json.member("bgs") { json in
        json.array(Array(values.prefix(query.count ?? 1).enumerated())) { json, row in
          Self.write(row.element, unit, change: row.offset == 0 ? .some(GlucoseChange(values)) : nil, to: &json)
        }
      }
      json.member("cals") { $0.array([String]()) { $0.string($1) } }
    }
  }

  /// `change` is nil for every row but the first, and holds nil where nothing is known.
  private static func write(
    _ value: ServedGlucose, _ unit: GlucoseUnit, change: GlucoseChange??, to json: inout JSONWriter
  ) {
    let direction = WireDirection(value.direction)
    json.object { json in
      json.member("sgv", DecimalText.fixed(unit.shownByNightscout(Double(value.wireValue)), places: unit.places))
      json.member("trend", direction.number)
      json.member("direction", direction.word)
      json.member("datetime", value.time.milliseconds)
      guard let change else { return }
      // A number in mg/dL and a text in mmol/L, as Nightscout has it; 0 where it is not known.
      let known = change?.shown(in: unit) ?? 0
      switch unit {
      case .milligramsPerDecilitre: json.member("bgdelta", Int(saturating: known))
      case .millimolesPerLitre: json.member("bgdelta", DecimalText.shortest(known, places: 1))
      }
    }
  }
}
