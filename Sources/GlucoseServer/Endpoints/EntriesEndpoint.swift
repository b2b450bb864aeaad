// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore
import TextFormats

/// Nightscout's glucose entries: what nearly every client asks for (GlucoseServer/ClientsAndPaths, "Paths").
struct EntriesEndpoint: Endpoint {
  private static let usualCount = 10

  func answer(_ request: ServerRequest, _ context: ServerContext) throws(StoreError) -> ServerAnswer? {
    let api = request.api
    guard api.isFirstOrSecond else { return nil }
    let query = FindQuery(request)
    if api.parts == ["count", "entries", "where"] {
      let count = try records(query, limit: FindQuery.largestCount, request, context).count
      return .records([WireRecord(["_id": .null, "count": .whole(count)])])
    }
    guard api.parts.first == "entries", api.parts.count <= 2 else { return nil }
    let limit = query.count ?? Self.usualCount
    let found: [WireRecord]
    switch api.parts.dropFirst().first {
    case nil: found = try records(query, limit: limit, request, context)
    case "sgv": found = try values(query, limit: limit, request, context)
    case "mbg": found = sticks(query, limit: limit, context)
    case "current": found = try context.newestGlucose().map { [$0.record] } ?? []
    case let name? where Self.isID(name):
      guard let record = record(name, context) else {
        return .problem(404, "Not Found", "no record with this _id is among the newest")
      }
      found = [record]
    default: found = []
    }
    return Self.answer(found, request).revalidated(for: request, newest: context.newestTime)
  }

  private func records(
    _ query: FindQuery, limit: Int, _ request: ServerRequest, _ context: ServerContext
  ) throws(StoreError) -> [WireRecord] {
    let values = try values(query, limit: limit, request, context)
    guard query.asks(forType: "mbg") else { return values }
    let all = values + sticks(query, limit: limit, context)
    return Array(all.sorted { $0.milliseconds > $1.milliseconds }.prefix(limit))
  }

  private func values(
    _ query: FindQuery, limit: Int, _ request: ServerRequest, _ context: ServerContext
  ) throws(StoreError) -> [WireRecord] {
    var selection = GlucoseSelection(from: query.isDated ? nil : context.undatedStart, limit: limit)
    selection.interval = request.interval
    if let from = query.span.from { selection.from = from }
    selection.to = query.span.to
    if !query.isSpanOnly { selection.condition = { query.matches($0.record) } }
    return try context.glucose(selection).map(\.record)
  }

  private func sticks(_ query: FindQuery, limit: Int, _ context: ServerContext) -> [WireRecord] {
    let start = query.isDated ? nil : context.undatedStart
    let known = context.snapshot.fingerSticks.lazy.filter { stick in
      stick.time <= context.now && start.map { stick.time >= $0 } ?? true
    }
    return Array(known.map(\.entry).filter(query.matches).prefix(limit))
  }

  private func record(_ id: String, _ context: ServerContext) -> WireRecord? {
    context.snapshot.glucose.first { $0.id == id }?.record
      ?? context.snapshot.fingerSticks.first { $0.id == id }?.entry
  }

  private static func isID(_ text: String) -> Bool { text.utf8.count == 24 && text.allSatisfy(\.isHexDigit) }

  private static func answer(_ records: [WireRecord], _ request: ServerRequest) -> ServerAnswer {
    let format = AnswerFormat.preferred(of: [.text, .tabs, .commas, .json], for: request)
    guard let format, format != .json else { return .records(records) }
    return TextRows.answer(records, format)
  }
}

extension WireRecord {
  var milliseconds: Int {
    if case .milliseconds(let time) = self["date"] { time.milliseconds } else { 0 }
  }
}

extension ServerContext {
  /// The time of the newest value that may be served.
  var newestTime: Instant? { snapshot.glucose.first { $0.time <= now }?.time }
}

extension ServerRequest {
  /// Seconds between two values that the client wants: `interval` of Juggluco's interface, 60 for all values.
  var interval: Int {
    let digits = (self["interval"] ?? "").prefix { $0.isASCII && $0.isNumber }.prefix(5)
    return Int(digits).map { min($0, 3_600) } ?? GlucoseSelection.usualInterval
  }
}

/// Entries for a client that does not ask for JSON (GlucoseServer/ClientsAndPaths, "Text rows").
enum TextRows {
  private static let columns = ["dateString", "date", "sgv", "direction", "device"]

  static func answer(_ records: [WireRecord], _ format: AnswerFormat) -> ServerAnswer {
    var body: [UInt8] = []
    for (index, record) in records.enumerated() {
      if index > 0 { body += "\r\n".utf8 }
      for (column, name) in columns.enumerated() {
        if column > 0 { body.append(UInt8(ascii: format == .commas ? "," : "\t")) }
        guard let value = record[name] else { continue }
        var cell = JSONWriter(indented: false)
        value.write(to: &cell)
        body += cell.bytes
      }
    }
    return ServerAnswer(contentType: format.contentType, body: body)
  }
}

/// `/sgv.json`, which watch faces, clocks and rigs ask for (GlucoseServer/ClientsAndPaths, "xDrip's values").
struct XDripEndpoint: Endpoint {
  /// Members that a watch does not show.
  private static let leftOutInBrief: Set = [
    "_id", "device", "dateString", "sysTime", "rssi", "type", "mills", "utcOffset",
  ]

  func answer(_ request: ServerRequest, _ context: ServerContext) throws(StoreError) -> ServerAnswer? {
    let api = request.api
    guard api.parts == ["sgv"], request.pathExtension == "json" else { return nil }
    let query = FindQuery(request)
    let count = query.count.map { min($0, 1_000) } ?? 24
    var selection = GlucoseSelection(from: context.undatedStart, limit: count)
    selection.interval = request.interval
    let values = try context.glucose(selection)
    if values.isEmpty, request["no_empty"] == "Y" {
      return ServerAnswer(contentType: AnswerFormat.json.contentType, body: [])
    }
    let isBrief = request["brief_mode"] != nil
    var rows = values.map { isBrief ? $0.record.keeping { !Self.leftOutInBrief.contains($0) } : $0.record }
    if !rows.isEmpty { Self.complete(&rows[0], request, context) }
    return ServerAnswer.records(rows).revalidated(for: request)
  }

  /// The first row says what is of all rows.
  private static func complete(_ row: inout WireRecord, _ request: ServerRequest, _ context: ServerContext) {
    row.append("units_hint", .text(context.unit == .millimolesPerLitre ? "mmol" : "mgdl"))
    if request["sensor"] != nil, let status = sensorStatus(context) { row.append("sensor_status", .text(status)) }
    for name in ["steps", "heart", "tasker"] where request[name] != nil { row.append("\(name)_result", .whole(200)) }
  }

  /// `24-12-25 08:00 (8d 3h)`: when the sensor was started, in UTC, and how long ago.
  private static func sensorStatus(_ context: ServerContext) -> String? {
    guard let start = context.snapshot.sensors.first?.facts.activatedAt, start <= context.now else { return nil }
    let hours = (context.now.secondsSince1970 - start.secondsSince1970) / 3_600
    let text = start.rfc3339
    let date = text.prefix(10).split(separator: "-")
    return "\(date[2])-\(date[1])-\(date[0].suffix(2)) \(text.dropFirst(11).prefix(5)) (\(hours / 24)d \(hours % 24)h)"
  }
}
