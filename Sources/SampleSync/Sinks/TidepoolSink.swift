// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import TextFormats

/// Tidepool's data service (read: TidepoolApi and platform): a login for each run, a data set for each wear of a
/// sensor, and the values. The data set replaces records by `origin.id`, so sending twice changes nothing.
struct TidepoolSink: SampleSink {
  static let type = SinkType(
    name: "tidepool", summary: "Tidepool's data service",
    parameters: [
      .init("url", "the service's address", default: "https://api.tidepool.org", isReceiver: true),
      .init("user", "the account's e-mail address", isReceiver: true),
      .init("client", "client name in the data sets", default: "local.libre"),
    ],
    secret: .required, parts: [.trend, .fingerSticks, .imported],
    removal: .impossible("libre cannot delete a value there; delete it in Tidepool"),
    fields: fields, make: { options throws(SinkOptionError) in try TidepoolSink(options) })

  private static let fields =
    [
      SinkField("ring", "[].type", "cbg, or smbg for blood"),
      SinkField("ring", "[].subType", "manual for blood that was typed in", with: .fingerSticks),
      SinkField("time", "[].time", "UTC with milliseconds"),
      SinkField("time", "[].deviceTime", "local time without an offset"),
      SinkField("time", "[].timezoneOffset", "minutes of the local offset"),
      SinkField("serial", "[].deviceId", "Libre-SERIAL"),
      SinkField("device", "[].deviceId", "SOURCE-DEVICE", with: .imported),
      SinkField("source", "[].deviceId", with: .fingerSticks),
      .always("[].units", "mg/dL"),
      SinkField("glucose_mg_dl", "[].value", "mg/dL; one beyond a limit"),
      SinkField("ring", "[].sampleInterval", "milliseconds between values of the ring"),
      SinkField("ring", "[].backfilled", "true for the history"),
      .always("[].annotations[].code", "bg/out-of-range"),
      SinkField("bound", "[].annotations[].value", with: .imported),
      SinkField("glucose_mg_dl", "[].annotations[].threshold", "the limit in whole mg/dL", with: .imported),
      SinkField("direction", "[].trend", "Tidepool's word", with: .trend),
      SinkField("rate_mg_dl_per_min", "[].trendRate", "two decimals", with: .trend),
      SinkField("rate_mg_dl_per_min", "[].trendRateUnits", "mg/dL/minute", with: .trend),
      SinkField("reference_id", "[].payload.reference_id"),
      SinkField("id", "[].origin.id"),
      .always("[].origin.name", "libre"),
      SinkField("sent_at", "[].origin.time", "UTC with milliseconds"),
      .always("[].origin.type", "application"),
      .always("[].origin.version", "of libre"),
    ] + dataSetFields

  private static let dataSetFields = [
    SinkField.always("client.name", "the sink's client"),
    .always("client.version", "of libre"),
    .always("dataSetType", "continuous"),
    .always("deduplicator.name", "the one that replaces records by origin.id"),
    .always("deduplicator.version", "1.0.0"),
    SinkField("serial", "deviceId", "Libre-SERIAL, or libre without a sensor"),
    SinkField("family", "deviceManufacturers[]", "Abbott"),
    SinkField("family", "deviceModel", "name of the product, or libre without a sensor"),
    SinkField("serial", "deviceSerialNumber"),
    .always("deviceTags[]", "cgm; bgm too without a sensor"),
    SinkField("sent_at", "time", "UTC with milliseconds"),
    .always("timeProcessing", "none"),
    SinkField("time_zone", "timezone"),
    SinkField("sent_at", "timezoneOffset", "minutes of the local offset"),
  ].map { $0.within("create the data set: ") }

  private static let tokenHeader = "X-Tidepool-Session-Token"
  private static let sessionToken = "token"
  private static let keptUser = "user_id"

  private let address: SinkAddress
  private let client: String
  private let basic: Secret
  let secrets: [Secret]

  init(_ options: SinkOptions) throws(SinkOptionError) {
    address = try SinkAddress(options)
    let password = try options.requiredSecret()
    basic = try Secret.basic(user: options.required("user"), password: password)
    client = try options.required("client")
    secrets = [password, basic]
  }

  var destination: String { address.text }
  var maximumBatch: Int { 1_000 }

  /// Tidepool accepts 0 to 1000 mg/dL.
  func omission(of entry: HistoryEntry) -> String? {
    do throws(Omission) {
      _ = try Self.datum(SentSample(entry), Self.anyContext)
      return nil
    } catch {
      return error.rawValue
    }
  }

  func preparation(for batch: SampleBatch?, _ memory: SinkState, _ context: ExportContext) -> Preparation? {
    guard memory.session[Self.sessionToken] != nil, let user = memory.kept[Self.keptUser] else { return logIn(context) }
    guard let batch, memory.kept[Self.dataSetName(batch.sensor)] == nil else { return nil }
    return createDataSet(batch.sensor, user, memory, context)
  }

  func delivery(of batch: SampleBatch, _ memory: SinkState, _ context: ExportContext) -> Delivery {
    let data = batch.sent.compactMap { try? Self.datum($0, context) }
    let dataSet = memory.kept[Self.dataSetName(batch.sensor)] ?? ""
    return .http(
      post("/dataservices/v1/datasets/\(dataSet)/data", memory) {
        $0.verbatim(Array("[".utf8) + data.joined(separator: Array(",\n".utf8)) + Array("]".utf8))
      })
  }

  func verdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict {
    let table = table(memory)
    if response.status == 401 { return .sessionEnded(reason: table.reason(response)) }
    return table.verdict(on: response, now: now)
  }

  func probe(_ memory: SinkState, _ context: ExportContext) -> HTTPRequest? { login }

  private var login: HTTPRequest {
    let credentials = HTTPRequest.Header("Authorization", secret: basic, prefix: "Basic ")
    return HTTPRequest(.post, "\(address.text)/auth/login", headers: [.acceptsJSON, credentials])
  }

  private func logIn(_ context: ExportContext) -> Preparation {
    let table = StatusVerdict(hiding: secrets)
    let example = HTTPResponse(
      status: 200, headers: [(Self.tokenHeader, "TOKEN")], body: Array(#"{"userid":"USER_ID"}"#.utf8))
    return Preparation(purpose: "log in", request: login, example: example) {
      (response, memory) throws(Verdict) in
      try table.requireSuccess(response, now: context.now)
      let user = try table.value(Account.self, of: response).userid
      guard ReceivedName.isIdentifier(user), let token = response[header: Self.tokenHeader],
        ReceivedName.isToken(token)
      else { throw table.unreadable(response) }
      // Data sets of another account must not be used.
      if memory.kept[Self.keptUser] != user { memory.kept = [Self.keptUser: user] }
      memory.session[Self.sessionToken] = Secret(token)
    }
  }

  private func createDataSet(
    _ sensor: WearFacts?, _ user: String, _ memory: SinkState, _ context: ExportContext
  ) -> Preparation {
    let table = table(memory)
    let name = Self.dataSetName(sensor)
    let request = post("/v1/users/\(user)/data_sets", memory) { json in
      json.object { TidepoolDataSet.writeMembers(of: sensor?.identity, client: client, context, to: &$0) }
    }
    let example = HTTPResponse(status: 201, body: Array(#"{"data":{"uploadId":"UPLOAD_ID"}}"#.utf8))
    return Preparation(purpose: "create the data set", request: request, example: example) {
      (response, memory) throws(Verdict) in
      if response.status == 401 { throw .sessionEnded(reason: table.reason(response)) }
      try table.requireSuccess(response, now: context.now)
      let answer = try table.value(DataSet.self, of: response)
      guard let id = answer.data?.uploadId ?? answer.uploadId, ReceivedName.isIdentifier(id) else {
        throw table.unreadable(response)
      }
      memory.kept[name] = id
    }
  }

  private static func dataSetName(_ sensor: WearFacts?) -> String {
    guard let sensor else { return "data_set" }
    return "data_set \(sensor.identity.uid?.description ?? sensor.identity.label) \(sensor.wear)"
  }

  private static func datum(_ sample: SentSample, _ context: ExportContext) throws(Omission) -> [UInt8] {
    try JSONWriter.line { json throws(Omission) in
      try TidepoolDatum.write(
        sample.value, ratePerMinute: sample.ratePerMinute, context.with(unit: .milligramsPerDecilitre), to: &json)
    }
  }

  /// Context for checking whether a value can be written; its content does not matter.
  private static let anyContext = ExportContext(
    unit: .milligramsPerDecilitre, program: "", version: "", now: Instant(secondsSince1970: 0),
    clock: .utc, person: nil)

  private func post(_ path: String, _ memory: SinkState, _ write: (inout JSONWriter) -> Void) -> HTTPRequest {
    let token = memory.session[Self.sessionToken].map { [HTTPRequest.Header(Self.tokenHeader, secret: $0)] } ?? []
    return .json(.post, address.text + path, headers: token, write)
  }

  private struct Account: Decodable { let userid: String }

  private struct DataSet: Decodable {
    struct Inner: Decodable { let uploadId: String }
    let data: Inner?
    let uploadId: String?
  }
}
