// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore

/// Finger-sticks and starts of sensors (GlucoseServer/ClientsAndPaths, "Treatments").
struct TreatmentsEndpoint: Endpoint {
  func answer(_ request: ServerRequest, _ context: ServerContext) -> ServerAnswer? {
    let api = request.api
    guard api.parts == ["treatments"] else { return nil }
    let query = FindQuery(request)
    let all = Self.treatments(context)
    guard api.isFirstOrSecond else {
      guard api.version == nil, request.pathExtension == "json" else { return nil }
      let count = query.count.map { min($0, 100) } ?? 24
      return .records(all.prefix(count).map(Self.inXDripForm)).revalidated(for: request)
    }
    let isUnlimited = query.conditions.isEmpty && query.alternatives.isEmpty
    let count = query.count ?? (isUnlimited ? 100 : 1_000)
    let newest = all.first.map { Instant(secondsSince1970: Int64($0.milliseconds / 1_000)) }
    return .records(Array(all.lazy.filter(query.matches).prefix(count)))
      .revalidated(for: request, newest: newest)
  }

  /// Newest first.
  static func treatments(_ context: ServerContext) -> [WireRecord] {
    let sticks = context.snapshot.fingerSticks.filter { $0.time <= context.now }.map(\.treatment)
    let starts = context.snapshot.sensors.filter { $0.facts.activatedAt.map { $0 <= context.now } ?? false }
    return (sticks + starts.compactMap(\.treatment)).sorted { $0.milliseconds > $1.milliseconds }
  }

  private static func inXDripForm(_ treatment: WireRecord) -> WireRecord {
    WireRecord([
      "_id": treatment["_id"], "created_at": treatment["date"], "eventType": treatment["eventType"],
      "enteredBy": treatment["enteredBy"], "notes": treatment["notes"], "carbs": .null, "insulin": .null,
    ])
  }
}

/// Lists of Nightscout that are always empty here: pumps, phones and treatment profiles are not known. Clients ask for them
/// beside the values, and report an error if the address is not there.
struct EmptyListsEndpoint: Endpoint {
  private static let paths: Set = [
    ["devicestatus"], ["profile"], ["profile", "current"], ["profiles"], ["activity"], ["food"],
  ]

  func answer(_ request: ServerRequest, _ context: ServerContext) -> ServerAnswer? {
    let api = request.api
    guard api.isFirstOrSecond, Self.paths.contains(api.parts) else { return nil }
    return .records([]).revalidated(for: request)
  }
}
