// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The events of the store: `glucose` for each new value, and `change` where something else has changed.
///
/// The id of a `glucose` event is its time in milliseconds since 1970. A client that comes back with it gets the values
/// that were measured since, so that it misses none. Values from before, which a later reading of the sensor's history
/// may add, are not sent again; a `change` reports that there may be some.
enum GlucoseEvents {
  /// Maximum number of values at once, a day of minute values: when a client comes back, or a history is imported.
  static let maximumValues = 1_440

  static let keepAlive = ServerEvent.comment("still here")

  /// Returns the events for a client that connects: the newest value, or all since the one it has seen.
  static func first(of snapshot: ServerSnapshot, now: Instant, lastEventID: String?) -> [UInt8] {
    let newest = snapshot.newest(at: now)
    var values = newest.map { [$0] } ?? []
    // An id of the future, or of another store, says nothing about this one.
    if let newest, let seen = lastEventID.flatMap({ Int($0) }), seen <= newest.time.milliseconds {
      values = snapshot.glucose.filter { $0.time.milliseconds > seen && $0.time <= newest.time }
    }
    return ServerEvent.retry(milliseconds: 3_000)
      + values.prefix(maximumValues).reversed().flatMap { event(for: $0).bytes }
  }

  /// Returns the events for what a later snapshot has and the one before did not have.
  static func changes(from previous: ServerSnapshot, to newest: ServerSnapshot) -> [UInt8] {
    guard previous.revision != newest.revision else { return [] }
    let known = previous.glucose.first?.time
    let values = newest.glucose.prefix { value in known.map { value.time > $0 } ?? true }
    guard values.isEmpty else { return values.prefix(maximumValues).reversed().flatMap { event(for: $0).bytes } }
    return ServerEvent(name: "change", data: #"{"revision":\#(quoted(newest.revision))}"#).bytes
  }

  private static func event(for value: ServedGlucose) -> ServerEvent {
    var json = JSONWriter(indented: false)
    json.object { json in
      json.member("id", value.id)
      json.member("time", value.time.rfc3339)
      json.member("glucose_mg_dl", value.concentration.milligramsPerDecilitre, places: 4)
      json.member("change_5_min_mg_dl", value.delta, places: 2)
      json.member("direction", value.direction?.rawValue)
      json.member("device", value.device)
    }
    return ServerEvent(
      id: "\(value.time.milliseconds)", name: "glucose", data: String(decoding: json.bytes, as: UTF8.self))
  }

  private static func quoted(_ text: String) -> String {
    var json = JSONWriter(indented: false)
    json.string(text)
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
