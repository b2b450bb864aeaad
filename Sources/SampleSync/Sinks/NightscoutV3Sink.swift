// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import TextFormats

/// A Nightscout site, through version 3 of its interface: one document a request, with a session token for 8 hours,
/// obtained in exchange for an access token (read: cgm-remote-monitor 15; API_SECRET is not accepted there). Equal
/// identifiers mean the same document. Sending it again is an update, which needs a permission of its own; without it
/// the refusal proves that the document exists. Do not mix both versions on one site: entries would double.
struct NightscoutV3Sink: SampleSink {
  static let type = SinkType(
    name: "nightscout-v3", summary: "a Nightscout site through version 3 of its interface, one document a request",
    parameters: [.init("url", "the site's address, such as https://example.org", isReceiver: true)],
    secret: .required, parts: [.trend, .fingerSticks, .imported],
    removal: .byKey(recordKey),
    fields: fields, make: { options throws(SinkOptionError) in try NightscoutV3Sink(options) })

  private static let fields =
    NightscoutEntry.fields(at: "") + [
      SinkField("time", "identifier", "UUIDv5 of device and date, by Nightscout's recipe"),
      SinkField("time", "utcOffset", "minutes of the local offset"),
      .always("units", "mg, for mg/dL"),
      .always("app", "libre"),
    ]

  private static let sessionToken = "token"

  private let address: SinkAddress
  private let accessToken: Secret
  var secrets: [Secret] { [accessToken] }

  init(_ options: SinkOptions) throws(SinkOptionError) {
    address = try SinkAddress(options)
    accessToken = try options.requiredSecret()
  }

  var destination: String { address.text }
  var maximumBatch: Int { 1 }

  /// An entry cannot mark a value as a limit.
  func omission(of entry: HistoryEntry) -> String? { SentSample.omission(of: entry, isMeasured: true) }

  func preparation(for batch: SampleBatch?, _ memory: SinkState, _ context: ExportContext) -> Preparation? {
    guard memory.session[Self.sessionToken] == nil else { return nil }
    let table = table(memory)
    let example = HTTPResponse(status: 200, body: Array(#"{"token":"TOKEN"}"#.utf8))
    return Preparation(purpose: "ask for a token", request: login, example: example) {
      (response, memory) throws(Verdict) in
      try table.requireSuccess(response, now: context.now)
      let token = try table.value(Session.self, of: response).token
      guard ReceivedName.isToken(token) else { throw table.unreadable(response) }
      memory.session[Self.sessionToken] = Secret(token)
    }
  }

  func delivery(of batch: SampleBatch, _ memory: SinkState, _ context: ExportContext) -> Delivery {
    .http(
      .json(.post, "\(address.text)/api/v3/entries", headers: authorization(memory)) { json in
        json.object { json in
          guard let entry = NightscoutEntry.entries(of: batch).first else { return }
          json.member("identifier", entry.identifier)
          entry.writeValue(to: &json)
          json.member("units", "mg")
          json.member("date", entry.milliseconds)
          json.member("utcOffset", LocalMoment(entry.time, context).offsetMinutes)
          json.member("app", context.program)
          json.member("device", entry.device)
          entry.writeDirection(to: &json)
          entry.writeIDs(context, to: &json)
        }
      })
  }

  func verdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict {
    let table = table(memory)
    switch response.status {
    case 200, 201:
      // A proxy's page and a login form also come with 200.
      let written = try? table.value(Written.self, of: response)
      guard written?.identifier != nil || written?.isDeduplication != nil else {
        return .unavailable(reason: table.reason(response))
      }
      return .accepted(duplicates: response.status == 200 ? 1 : 0)
    case 401: return .sessionEnded(reason: table.reason(response))
    // The document exists; only updating it is not allowed.
    case 403 where table.reason(response).contains("api:entries:update"): return .accepted(duplicates: 1)
    // Deleted there, or conflicting.
    case 410, 412: return .rejected(reason: table.reason(response))
    default: return table.verdict(on: response, now: now)
    }
  }

  private static func recordKey(of entry: HistoryEntry) -> String? {
    (try? SentSample(entry)).map { NightscoutEntry($0).identifier }
  }

  /// Deletes a document; the site marks it as deleted, so that other clients notice.
  func withdrawal(of keys: [String], _ memory: SinkState, _ context: ExportContext) -> Delivery? {
    keys.first.map { key in
      let place = "\(address.text)/api/v3/entries/\(PercentEncoding.encoded(key))"
      return .http(HTTPRequest(.delete, place, headers: [.acceptsJSON] + authorization(memory)))
    }
  }

  /// Deleting needs a permission of its own, which a token that may create entries may lack.
  func withdrawalVerdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict {
    let table = table(memory)
    switch response.status {
    case 404, 410: return .accepted(duplicates: nil)
    case 401: return .sessionEnded(reason: table.reason(response))
    case 403:
      return .refused(
        reason: "the token may not delete entries: it needs api:entries:delete (\(table.reason(response)))")
    default: return table.verdict(on: response, now: now)
    }
  }

  /// Requests the permissions with a session token; without one, requests that token.
  func probe(_ memory: SinkState, _ context: ExportContext) -> HTTPRequest? {
    guard memory.session[Self.sessionToken] != nil else { return login }
    return HTTPRequest(.get, "\(address.text)/api/v3/status", headers: [.acceptsJSON] + authorization(memory))
  }

  /// Reads the token's permissions for entries: `crud`, or some of these letters (remembered).
  func missingPermission(in response: HTTPResponse, _ memory: SinkState) -> String? {
    guard let entries = try? table(memory).value(SiteState.self, of: response).result.apiPermissions.entries,
      !entries.contains("c")
    else { return nil }
    return "the token may not create entries (only \"\(entries)\"): it needs api:entries:create"
  }

  private struct SiteState: Decodable {
    struct Result: Decodable { let apiPermissions: Permissions }
    struct Permissions: Decodable { let entries: String }
    let result: Result
  }

  private var login: HTTPRequest {
    HTTPRequest(.get, "\(address.text)/api/v2/authorization/request/", secretPath: accessToken, headers: [.acceptsJSON])
  }

  private func authorization(_ memory: SinkState) -> [HTTPRequest.Header] {
    memory.session[Self.sessionToken].map { [HTTPRequest.Header("Authorization", secret: $0, prefix: "Bearer ")] } ?? []
  }

  private struct Written: Decodable {
    let identifier: String?
    let isDeduplication: Bool?
  }

  private struct Session: Decodable { let token: String }
}
