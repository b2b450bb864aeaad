// SPDX-License-Identifier: Apache-2.0
import SampleSync

/// A delivery and its result, without secrets and measured values.
package struct CourierExchange: Hashable, Sendable {
  /// HTTP method, `PUBLISH` to a broker, `APPEND` to a file.
  package let method: String
  /// Scheme, host and path without the query, which may identify a person; a broker, or a file.
  package let address: String
  /// Headers of the request, with placeholders for secrets; empty except for HTTP.
  package let headers: [String]
  /// Number of messages for a broker; nil otherwise.
  package let messages: Int?
  /// Bytes of the body, of the messages' payloads, or of the lines.
  package let sentBytes: Int
  /// HTTP status; nil without an answer, and for other routes.
  package let status: Int?
  package let receivedBytes: Int?
  package let failure: String?
  package let duration: Duration

  init(_ delivery: Delivery, to place: String, _ result: Result<HTTPResponse, Verdict>, duration: Duration) {
    self.duration = duration
    let answer: HTTPResponse? = if case .http = delivery { try? result.get() } else { nil }
    (status, receivedBytes) = (answer?.status, answer?.body.count)
    failure = if case .failure(let error) = result { error.words } else { nil }
    switch delivery {
    case .http(let request):
      (method, headers) = (request.method.rawValue, request.headers.map(\.redactedText))
      address = String(request.url.prefix { $0 != "?" })
      (messages, sentBytes) = (nil, request.body.count)
    case .mqtt(let sent):
      (method, address, headers) = ("PUBLISH", place, [])
      (messages, sentBytes) = (sent.count, sent.reduce(0) { $0 + $1.payload.count })
    case .lines(let bytes):
      (method, address, headers) = ("APPEND", place, [])
      (messages, sentBytes) = (nil, bytes.count)
    case .samples(let samples):
      (method, address, headers) = ("RECEIVE", place, [])
      (messages, sentBytes) = (samples.count, 0)
    }
  }
}
