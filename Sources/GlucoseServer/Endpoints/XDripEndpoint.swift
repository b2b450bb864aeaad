// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore

/// xDrip's local web service: `/sgv.json`, which watch faces, clocks and rigs ask for.
///
/// | parameter | does |
/// |---|---|
/// | `count` | 1 to 1000, else 24 |
/// | `brief_mode` | only what a watch shows |
/// | `no_empty=Y` | an empty body instead of `[]` |
/// | `sensor` | `sensor_status` in the first row |
/// | `steps`, `heart`, `tasker` | 200 for each in the first row, and nothing is stored |
/// | `all_data`, `collector` | nothing |
///
/// Values are in mg/dL; `units_hint` in the first row says which unit the person reads.
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
    guard let start = context.snapshot.sensors.first?.activatedAt, start <= context.now else { return nil }
    let hours = (context.now.secondsSince1970 - start.secondsSince1970) / 3_600
    let text = start.rfc3339
    let date = text.prefix(10).split(separator: "-")
    return "\(date[2])-\(date[1])-\(date[0].suffix(2)) \(text.dropFirst(11).prefix(5)) (\(hours / 24)d \(hours % 24)h)"
  }
}
