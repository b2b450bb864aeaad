// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import TextFormats

/// Vital, now Junction, with your own team's key. Experimental: the source of Vital's app marks the interface as
/// internal (read), and its handling of duplicates is unknown. A user that exists is named in the answer 400 or 409
/// (remembered); a source that is connected answers 409 (read).
struct VitalSink: SampleSink {
  private enum Environment: String, CaseIterable {
    case production, sandbox, dev
  }

  private enum Region: String, CaseIterable {
    case us, eu
  }

  private enum Provider: String, CaseIterable {
    case freeStyleLibre = "freestyle_libre_ble"
    case manual
  }

  static let type = SinkType(
    name: "vital", summary: "Vital (Junction), with your own team's key; experimental",
    parameters: [
      .init(
        "environment", "Vital's environment", default: "sandbox", choices: Environment.allCases.map(\.rawValue),
        isReceiver: true),
      .init("region", "Vital's region", default: "us", choices: Region.allCases.map(\.rawValue), isReceiver: true),
      .init("url", "another address instead of environment and region", default: "", isReceiver: true),
      .init("client_user_id", "your own id for the person, without name or address", default: "", isReceiver: true),
      .init("user_id", "Vital's id of the user, if there is one", default: "", isReceiver: true),
      .init(
        "provider", "the source of the values", default: "freestyle_libre_ble",
        choices: Provider.allCases.map(\.rawValue), isReceiver: true),
    ],
    secret: .required, parts: [.trend, .fingerSticks, .imported, .bloodPressure],
    removal: .impossible("libre cannot delete a value there; delete it by its sample_id with Vital's own tools"),
    fields: fields, make: { options throws(SinkOptionError) in try VitalSink(options) })

  private static let fields =
    [
      .always("create the user: client_user_id", "the sink's client_user_id"),
      .always("connect the source: user_id", "Vital's id of the user"),
      SinkField("stage", "stage"),
      SinkField("time", "start_date", "the first of a historical batch"),
      SinkField("time", "end_date", "the last of a historical batch"),
      .always("provider", "the sink's provider"),
      SinkField("time_zone", "time_zone"),
      .always("is_final_chunk", "true for the last batch of the backfill, and for each later one"),
      SinkField("glucose_mg_dl", "data[].value", "mmol/L"),
      .always("data[].unit", "mmol/L"),
      SinkField("ring", "data[].type", "manual_scan; unknown for imported values, fingerprick for blood"),
      SinkField("time", "data[].start_date"),
      SinkField("time", "data[].end_date"),
      SinkField("id", "data[].metadata.sample_id"),
      SinkField("reference_id", "data[].metadata.reference_id"),
    ] + pressureFields

  private static let pressureFields: [SinkField] = [
    ("systolic_mmhg", "systolic", "mmHg"), ("diastolic_mmhg", "diastolic", "mmHg"),
    ("pulse_per_minute", "pulse", "bpm"),
  ].flatMap { (ours, theirs, unit) -> [SinkField] in
    [
      SinkField(ours, "data[].\(theirs).value", with: .bloodPressure),
      .always("data[].\(theirs).unit", unit),
      .always("data[].\(theirs).type", "cuff"),
      SinkField("time", "data[].\(theirs).start_date", with: .bloodPressure),
      SinkField("time", "data[].\(theirs).end_date", with: .bloodPressure),
      SinkField("id", "data[].\(theirs).metadata.sample_id", with: .bloodPressure),
      SinkField("reference_id", "data[].\(theirs).metadata.reference_id", with: .bloodPressure),
    ]
  }

  private static let keptUser = "user_id"
  private static let keptSource = "source"

  private let address: SinkAddress
  private let clientUserID: String?
  private let userID: String?
  private let provider: Provider
  private let key: Secret
  var secrets: [Secret] { [key] }

  init(_ options: SinkOptions) throws(SinkOptionError) {
    let environment = try options.choice("environment", Environment.self)
    let region = try options.choice("region", Region.self)
    if options.optional("url") != nil {
      address = try SinkAddress(options)
    } else {
      let place = environment == .production ? "api" : "api.\(environment.rawValue)"
      address = try SinkAddress(
        "https://\(place).\(region.rawValue).junction.com", key: "url", schemes: [.https], allowsPlain: false)
    }
    userID = options.optional("user_id")
    if let userID, !ReceivedName.isIdentifier(userID) {
      throw .bad(key: "user_id", value: userID, allowed: "a UUID")
    }
    clientUserID = userID == nil ? try options.required("client_user_id") : options.optional("client_user_id")
    if let clientUserID, clientUserID.contains(where: { $0 == "@" || $0.isWhitespace }) {
      throw .bad(
        key: "client_user_id", value: "an id with @ or a space", allowed: "your own id, without name or address")
    }
    provider = try options.choice("provider", Provider.self)
    key = try options.requiredSecret()
  }

  var destination: String { address.text }
  var maximumBatch: Int { 1_000 }

  /// A sample cannot mark a value as a limit.
  func omission(of entry: HistoryEntry) -> String? {
    SentSample.omission(of: entry, isMeasured: true, takesPressure: true)
  }

  func preparation(for batch: SampleBatch?, _ memory: SinkState, _ context: ExportContext) -> Preparation? {
    guard let user = user(memory) else { return createUser(context) }
    return memory.kept[Self.keptSource] == source(of: user) ? nil : connect(user, context)
  }

  func delivery(of batch: SampleBatch, _ memory: SinkState, _ context: ExportContext) -> Delivery {
    let (sent, pressures) = (batch.sent, batch.pressures)
    let times = sent.map(\.time) + pressures.map(\.time)
    var span: (Instant, Instant)?
    if batch.stage == .historical, let first = times.first, let last = times.last { span = (first, last) }
    return .http(
      post("/v2/timeseries/\(user(memory) ?? "")/\(pressures.isEmpty ? "glucose" : "blood_pressure")") { json in
        // Later batches are daily, and each day is a chunk of its own.
        VitalSample.writeHead(
          stage: batch.stage.rawValue, span: span, provider: provider.rawValue,
          isFinal: batch.stage == .daily || batch.isLastOfStage, context, to: &json)
        json.member("data") { json in
          guard pressures.isEmpty else {
            return json.array(pressures) { VitalSample.write($1, person: context.person, to: &$0) }
          }
          // Limits are left out here: they were parked.
          json.array(sent.filter { $0.value.bound == nil }) {
            try? VitalSample.write($1.value, person: context.person, to: &$0)
          }
        }
      })
  }

  /// Requests today's values, which requires a user.
  func probe(_ memory: SinkState, _ context: ExportContext) -> HTTPRequest? {
    guard let user = user(memory) else { return nil }
    let day = context.now.rfc3339.prefix(10)
    return HTTPRequest(
      .get, "\(address.text)/v2/timeseries/\(user)/glucose/grouped?start_date=\(day)&end_date=\(day)",
      headers: [.acceptsJSON, HTTPRequest.Header("x-vital-api-key", secret: key)])
  }

  private func user(_ memory: SinkState) -> String? { userID ?? memory.kept[Self.keptUser] }

  /// The source's name: another user or another provider is another source.
  private func source(of user: String) -> String { "\(provider.rawValue) of \(user)" }

  private func createUser(_ context: ExportContext) -> Preparation {
    let table = table(SinkState())
    let request = post("/v2/user") { $0.member("client_user_id", clientUserID) }
    let example = HTTPResponse(status: 200, body: Array(#"{"user_id":"USER_ID"}"#.utf8))
    return Preparation(purpose: "create the user", request: request, example: example) {
      (response, memory) throws(Verdict) in
      let user: String
      if response.status == 400 || response.status == 409,
        let known = try? table.value(UserExists.self, of: response).detail.user_id
      {
        user = known
      } else {
        try table.requireSuccess(response, now: context.now)
        user = try table.value(User.self, of: response).user_id
      }
      guard ReceivedName.isIdentifier(user) else { throw table.unreadable(response) }
      memory.kept[Self.keptUser] = user
    }
  }

  private func connect(_ user: String, _ context: ExportContext) -> Preparation {
    let table = table(SinkState())
    let request = post("/v2/link/provider/manual/\(provider.rawValue)") { $0.member("user_id", user) }
    let source = source(of: user)
    return Preparation(purpose: "connect the source", request: request, example: HTTPResponse(status: 200)) {
      (response, memory) throws(Verdict) in
      try table.requireSuccess(response, also: [409], now: context.now)
      memory.kept[Self.keptSource] = source
    }
  }

  private func post(_ path: String, _ members: (inout JSONWriter) -> Void) -> HTTPRequest {
    .json(.post, address.text + path, headers: [HTTPRequest.Header("x-vital-api-key", secret: key)]) {
      $0.object(members)
    }
  }

  // The names are given by the interface.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  private struct User: Decodable { let user_id: String }
  private struct UserExists: Decodable { let detail: User }
}
