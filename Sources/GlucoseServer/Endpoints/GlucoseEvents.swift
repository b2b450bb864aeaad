// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore
import TextFormats

/// The events of the store (GlucoseServer/LivePageAndMetrics, "Events").
enum GlucoseEvents {
  /// Maximum number of values at once, a day of minute values: when a client comes back, or a history is imported.
  static let maximumValues = 1_440

  static let keepAlive = ServerEvent.comment("still here")

  /// The events for a client that connects: the newest value, or all since the one it has seen.
  static func first(of snapshot: ServerSnapshot, now: Instant, lastEventID: String?) -> [UInt8] {
    let newest = snapshot.newest(at: now)
    var values = newest.map { [$0] } ?? []
    // An id of the future, or of another store, says nothing about this one.
    if let newest, let seen = lastEventID.flatMap({ Int($0) }), seen <= newest.time.milliseconds {
      values = snapshot.glucose.filter { $0.time.milliseconds > seen && $0.time <= newest.time }
    }
    // How many milliseconds a client waits before it connects again.
    return Array("retry: 3000\n\n".utf8) + events(for: values)
  }

  static func changes(from previous: ServerSnapshot, to newest: ServerSnapshot) -> [UInt8] {
    guard previous.revision != newest.revision else { return [] }
    let known = previous.glucose.first?.time
    let values = newest.glucose.prefix { value in known.map { value.time > $0 } ?? true }
    guard values.isEmpty else { return events(for: Array(values)) }
    return ServerEvent(name: "change", data: object { $0.member("revision", newest.revision) }).bytes
  }

  /// The values are newest first, their events oldest first.
  private static func events(for values: [ServedGlucose]) -> [UInt8] {
    values.prefix(maximumValues).reversed().flatMap { value in
      let data = object { json in
        json.member("id", value.id)
        json.member("time", value.time.rfc3339)
        json.member("glucose_mg_dl", value.concentration.milligramsPerDecilitre, places: 4)
        json.member("change_5_min_mg_dl", value.delta, places: 2)
        json.member("direction", value.direction?.rawValue)
        json.member("device", value.device)
      }
      return ServerEvent(id: "\(value.time.milliseconds)", name: "glucose", data: data).bytes
    }
  }

  private static func object(_ members: (inout JSONWriter) -> Void) -> String {
    String(decoding: JSONWriter.line { $0.object(members) }, as: UTF8.self)
  }
}

/// An event of `text/event-stream`, or a comment line in it (HTML Standard, "Server-sent events").
struct ServerEvent: Hashable, Sendable {
  /// Id that a client sends back as `Last-Event-ID` when it connects again; nil leaves it as it was.
  var id: String?
  var name: String
  var data: String

  var bytes: [UInt8] {
    var text = id.map { "id: \(Self.line($0))\n" } ?? ""
    text += "event: \(Self.line(name))\n"
    for line in data.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) { text += "data: \(line)\n" }
    return Array("\(text)\n".utf8)
  }

  /// A line that clients skip: it shows either side that the other one is there.
  static func comment(_ text: String) -> [UInt8] { Array(": \(line(text))\n\n".utf8) }

  /// Line ends would begin another field, and a client ignores an id with U+0000.
  private static func line(_ text: String) -> String { text.filter { !$0.isNewline && $0 != "\0" } }
}

/// `/events`, the changes of the store as server-sent events.
struct EventsEndpoint: Endpoint {
  func answer(_ request: ServerRequest, _ context: ServerContext) throws(StoreError) -> ServerAnswer? {
    guard request.path == ["events"], request.pathExtension == nil else { return nil }
    return ServerAnswer(
      contentType: "text/event-stream; charset=utf-8",
      // The last one is for nginx, which would hold events back.
      headers: [LivePageEndpoint.fresh, (name: "X-Accel-Buffering", value: "no")],
      body: GlucoseEvents.first(of: context.snapshot, now: context.now, lastEventID: request.headers["last-event-id"]),
      updates: ServerUpdates(keepAlive: GlucoseEvents.keepAlive, bytes: GlucoseEvents.changes))
  }
}
