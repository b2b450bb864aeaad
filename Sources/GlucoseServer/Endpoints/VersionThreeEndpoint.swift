// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore
import TextFormats

/// Version 3 of Nightscout's interface, to read (GlucoseServer/ClientsAndPaths, "Version 3").
struct VersionThreeEndpoint: Endpoint {
  static let version = "3.0.3-alpha"
  private static let largestLimit = 1_000
  private static let emptyCollections: Set = ["devicestatus", "food", "profile", "settings"]

  /// Open for `/version`, by which clients find out that there is a version 3.
  let isOpen = true

  func answer(_ request: ServerRequest, _ context: ServerContext) throws(StoreError) -> ServerAnswer? {
    let api = request.api
    guard api.version == 3 else { return nil }
    if api.parts == ["version"] { return Self.object { Self.writeVersion(context, to: &$0) } }
    guard context.isAuthorized else { return nil }
    switch api.parts {
    case ["status"]:
      return Self.object { json in
        Self.writeVersion(context, to: &json)
        json.object("apiPermissions") { json in
          for name in ["devicestatus", "entries", "food", "profile", "settings", "treatments"] {
            json.member(name, name == "settings" ? "" : "r")
          }
        }
      }
    case ["lastModified"]: return Self.object { Self.writeLastModified(context, to: &$0) }
    default: break
    }
    guard let collection = api.parts.first.flatMap({ Collection(name: $0, context) }) else { return Self.unknown }
    if api.parts.count == 1 { return try collection.search(request).revalidated(for: request) }
    guard api.parts.count == 3, api.parts[1] == "history", let since = QueryTime.milliseconds(api.parts[2]) else {
      return Self.unknown
    }
    return try collection.history(since: since, request)
  }

  private static let unknown = ServerAnswer.problem(404, "Bad operation or collection", "collection not found")

  private static func result(_ write: (inout JSONWriter) -> Void) -> ServerAnswer {
    .object { json in
      json.member("status", 200)
      json.member("result", write)
    }
  }

  private static func object(_ members: (inout JSONWriter) -> Void) -> ServerAnswer { result { $0.object(members) } }

  private static func writeVersion(_ context: ServerContext, to json: inout JSONWriter) {
    json.member("version", StatusEndpoint.nightscoutVersion)
    json.member("apiVersion", version)
    json.member("srvDate", context.now.milliseconds)
    json.object("storage") { json in
      json.member("storage", "sqlite")
      json.member("version", "3")
    }
  }

  private static func writeLastModified(_ context: ServerContext, to json: inout JSONWriter) {
    json.member("srvDate", context.now.milliseconds)
    json.object("collections") { json in
      if let newest = context.newestTime { json.member("entries", newest.milliseconds) }
      if let newest = TreatmentsEndpoint.treatments(context).first { json.member("treatments", newest.milliseconds) }
    }
  }

  private struct Collection {
    private let name: String
    private let context: ServerContext

    init?(name: String, _ context: ServerContext) {
      guard ["entries", "treatments"].contains(name) || emptyCollections.contains(name) else { return nil }
      self.name = name
      self.context = context
    }

    func search(_ request: ServerRequest) throws(StoreError) -> ServerAnswer {
      guard let limit = Self.limit(request) else { return Self.intolerable("limit") }
      guard let skip = Self.number(request["skip"], else: 0, in: 0...FindQuery.largestCount) else {
        return Self.intolerable("skip")
      }
      let query = FindQuery(versionThree: request)
      // The oldest are at the end of all that match.
      let isAscending = request["sort"] != nil
      let found = try documents(query, limit: isAscending ? FindQuery.largestCount : skip + limit)
      let page = (isAscending ? Array(found.reversed()) : found).dropFirst(skip).prefix(limit)
      return Self.answer(Array(page), fields: request["fields"])
    }

    /// Ascending, and never more than the limit: a client goes on from the newest that it got, which the headers name.
    func history(since: Int64, _ request: ServerRequest) throws(StoreError) -> ServerAnswer {
      guard let limit = Self.limit(request) else { return Self.intolerable("limit") }
      // Nightscout takes seconds as well: no moment of a sensor has so few milliseconds.
      let milliseconds = since < 100_000_000_000 ? since * 1_000 : since
      var query = FindQuery(ServerRequest(path: []))
      query.conditions = [FindCondition(field: "date", comparison: .greater, values: ["\(milliseconds)"])]
      let page = try documents(query, limit: FindQuery.largestCount).reversed().prefix(limit)
      var answer = Self.answer(Array(page), fields: request["fields"])
      let newest = page.last.map { Instant(secondsSince1970: Int64($0.milliseconds / 1_000)) }
      let moment = newest ?? Instant(notAfter: milliseconds)
      answer.headers += [
        ("Last-Modified", HTTPDate.text(moment)), ("ETag", "W/\"\(newest?.milliseconds ?? Int(milliseconds))\""),
      ]
      return answer
    }

    /// Newest first.
    private func documents(_ query: FindQuery, limit: Int) throws(StoreError) -> [WireRecord] {
      switch name {
      case "treatments":
        return Array(TreatmentsEndpoint.treatments(context).map(\.document).lazy.filter(query.matches).prefix(limit))
      case "entries":
        var selection = GlucoseSelection(from: query.span.from, to: query.span.to, limit: limit)
        if !query.isDated { selection.from = context.undatedStart }
        if !query.isSpanOnly { selection.condition = { query.matches($0.record.document) } }
        return try context.glucose(selection).map(\.record.document)
      default: return []
      }
    }

    private static func answer(_ documents: [WireRecord], fields: String?) -> ServerAnswer {
      let names = fields.flatMap { $0 == "_all" ? nil : Set($0.split(separator: ",").map(String.init)) }
      return result { json in
        json.array(names.map { names in documents.map { $0.keeping(names.contains) } } ?? documents) {
          $1.write(to: &$0)
        }
      }
    }

    private static func limit(_ request: ServerRequest) -> Int? {
      number(request["limit"], else: largestLimit, in: 1...largestLimit)
    }

    private static func number(_ text: String?, else usual: Int, in range: ClosedRange<Int>) -> Int? {
      guard let text else { return usual }
      return text.utf8.count <= 9 ? Int(text).flatMap { range.contains($0) ? $0 : nil } : nil
    }

    private static func intolerable(_ name: String) -> ServerAnswer {
      .problem(400, "Parameter \(name) out of tolerance", "it must be a whole number in the range of Nightscout")
    }
  }
}

extension WireRecord {
  /// The record as a document of version 3. When it was stored is not known; its own time stands for that.
  fileprivate var document: WireRecord {
    guard case .text(let id)? = self["_id"], let date = self["date"] else { return self }
    var document = keeping { !["_id", "mills", "sysTime", "rssi"].contains($0) }
    document.members.insert(Member(name: "identifier", value: .text(id)), at: 0)
    document.append("app", .text("libre"))
    document.append("srvCreated", date)
    document.append("srvModified", date)
    document.append("isValid", .flag(true))
    return document
  }
}
