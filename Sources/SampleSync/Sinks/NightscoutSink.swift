// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import TextFormats

/// A Nightscout site, through version 1 of its interface, which every site has (read: cgm-remote-monitor 15).
/// `api-secret` is the SHA-1 of the secret in lower-case hex, or an access token as it is.
///
/// The site keeps the last entry for each time and type, so sending twice changes nothing. Any 200 is success; each
/// failed authentication makes the site wait longer, so 401 stops the sink.
struct NightscoutSink: SampleSink {
  private enum Authentication: String, CaseIterable {
    case secret, token
  }

  static let type = SinkType(
    name: "nightscout", summary: "a Nightscout site (version 1 of its interface, which every site has)",
    parameters: [
      .init("url", "the site's address, such as https://example.org", isReceiver: true),
      .init(
        "auth", "type of the secret: the site's API_SECRET or an access token", default: "secret",
        choices: Authentication.allCases.map(\.rawValue)),
    ],
    secret: .required, parts: [.trend, .fingerSticks, .imported],
    removal: .impossible(
      "version 1 of its interface cannot delete an entry by our id; delete it on the site, where device is libre://SERIAL"
    ),
    fields: fields, make: { options throws(SinkOptionError) in try NightscoutSink(options) })

  private static let fields =
    NightscoutEntry.fields(at: "[].") + [SinkField("time", "[].dateString", "local time with milliseconds and offset")]

  private let address: SinkAddress
  /// Value of `api-secret`.
  private let credential: Secret
  let secrets: [Secret]

  init(_ options: SinkOptions) throws(SinkOptionError) {
    address = try SinkAddress(options)
    let secret = try options.requiredSecret()
    switch try options.choice("auth", Authentication.self) {
    case .secret: credential = Secret(HashFunction.sha1.hex(of: Array(secret.revealed().utf8)))
    case .token: credential = secret
    }
    secrets = [secret, credential]
  }

  var destination: String { address.text }
  var maximumBatch: Int { 1_000 }

  /// An entry cannot mark a value as a limit.
  func omission(of entry: HistoryEntry) -> String? { SentSample.omission(of: entry, isMeasured: true) }

  func delivery(of batch: SampleBatch, _ memory: SinkState, _ context: ExportContext) -> Delivery {
    let headers = [HTTPRequest.Header("api-secret", secret: credential)]
    return .http(
      .json(.post, "\(address.text)/api/v1/entries.json", headers: headers) { json in
        json.array(NightscoutEntry.entries(of: batch)) { json, entry in
          let local = LocalMoment(entry.time, context)
          json.object { json in
            entry.writeValue(to: &json)
            json.member("date", entry.milliseconds)
            json.member("dateString", "\(local.date)T\(local.time).000\(local.offset)")
            entry.writeDirection(to: &json)
            json.member("device", entry.device)
            entry.writeIDs(context, to: &json)
          }
        }
      })
  }

  func probe(_ memory: SinkState, _ context: ExportContext) -> HTTPRequest? {
    HTTPRequest(
      .get, "\(address.text)/api/v1/verifyauth",
      headers: [.acceptsJSON, HTTPRequest.Header("api-secret", secret: credential)])
  }

  /// Judges the body: the status is always 200, and the body says whether the secret is known.
  func probeVerdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict {
    let table = table(memory)
    let verdict = table.verdict(on: response, now: now)
    guard case .accepted = verdict else { return verdict }
    guard let answer = try? table.value(VerifyAnswer.self, of: response).message else {
      return table.unreadable(response)
    }
    // A token with write permission only is found, but is not "OK", which requires read permission.
    if answer.message == "OK" || answer.rolefound == "FOUND" { return .accepted(duplicates: nil) }
    return .unauthorized(reason: table.reason(response))
  }

  /// Reads whether the secret may write (read: cgm-remote-monitor's verifyauth).
  func missingPermission(in response: HTTPResponse, _ memory: SinkState) -> String? {
    let answer = try? table(memory).value(VerifyAnswer.self, of: response).message
    guard answer?.canWrite == false else { return nil }
    return
      "the secret can read but not write: give its subject a role that can, such as devicestatus-upload or careportal"
  }

  private struct VerifyAnswer: Decodable {
    struct Message: Decodable {
      let message: String
      let rolefound: String?
      let canWrite: Bool?
    }

    let message: Message
  }
}
