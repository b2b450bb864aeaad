// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore
import TextFormats

/// Nightscout's glucose entries: what nearly every client asks for.
///
/// ```
/// /api/v1/entries[.json|.tsv|.csv|.txt]   glucose values; finger-sticks only where find[type] names mbg
/// /api/v1/entries/sgv   glucose values
/// /api/v1/entries/mbg   finger-sticks
/// /api/v1/entries/cal   nothing: no calibration of a user is served
/// /api/v1/entries/current   the newest value, in an array
/// /api/v1/entries/65a1f0c2d4b37e08c9a10f22   one record, in an array
/// /api/v1/count/entries/where   how many
/// ```
/// All of them under `/api/v2` too.
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

/// Entries as rows of text, which Nightscout sends to a client that does not ask for JSON.
///
/// ```
/// "2026-01-01T11:05:00.000Z"⇥1767265500000⇥118⇥"Flat"⇥"libre"
/// ```
/// Strings in JSON's quotes, a comma instead of the tab for CSV, CRLF between two rows and none at the end.
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
