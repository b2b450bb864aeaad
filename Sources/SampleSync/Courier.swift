// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// Transports one sink's requests to its receiver, and returns the answers.
package protocol Courier: Sendable {
  /// Delivers; returns 204 if a receiver only acknowledges.
  func deliver(_ delivery: Delivery) async throws(DeliveryError) -> HTTPResponse
  func close() async
}

extension Courier {
  package func ask(_ request: HTTPRequest) async throws(DeliveryError) -> HTTPResponse {
    try await deliver(.http(request))
  }

  /// Makes the request of a preparation, and learns the values of its answer.
  func prepare(_ preparation: Preparation, _ memory: inout SinkState) async throws(PreparationFailure) {
    let answer: HTTPResponse
    do throws(DeliveryError) {
      answer = try await ask(preparation.request)
    } catch {
      throw PreparationFailure(Verdict(error))
    }
    try preparation.learn(answer, &memory)
  }
}

/// The real courier: over libcurl, or to a file. Keeps connections while it exists.
package final class SinkCourier: Courier {
  private let http: HTTPCourier
  private let mqtt: MQTTCourier?
  private let lines: LineCourier?
  private let timeoutSeconds: Int

  package init(
    to route: DeliveryRoute, timeoutSeconds: Int,
    write: @escaping @Sendable ([UInt8]) throws(DeliveryError) -> Void
  ) {
    http = HTTPCourier(agent: "\(Program.name)/\(Program.version)")
    self.timeoutSeconds = timeoutSeconds
    switch route {
    case .http, .receiver: (mqtt, lines) = (nil, nil)
    case .mqtt(let broker):
      // No two connections to a broker may have the same client id.
      mqtt = MQTTCourier(broker("libre-\(String(UInt64.random(in: .min ... .max), radix: 16))"))
      lines = nil
    case .lines(let file): (mqtt, lines) = (nil, file.map { LineCourier(file: $0) } ?? LineCourier(write: write))
    }
  }

  package func deliver(_ delivery: Delivery) async throws(DeliveryError) -> HTTPResponse {
    switch delivery {
    case .http(let request): return try await http.perform(request, timeoutSeconds: timeoutSeconds)
    case .mqtt(let messages): try await mqtt?.publish(messages, timeoutSeconds: timeoutSeconds)
    case .lines(let bytes): try await lines?.append(bytes, timeoutSeconds: timeoutSeconds)
    case .samples: throw .misdirected(reason: "only the program itself can deliver to its receiver")
    }
    return HTTPResponse(status: 204)
  }

  package func close() async { await mqtt?.close() }
}

/// A courier that reports each delivery of another one, because libraries do not log.
package struct ObservedCourier: Courier {
  private let courier: any Courier
  private let place: String
  private let clock: @Sendable () -> Duration
  private let report: @Sendable (CourierExchange) -> Void

  /// `route` is that of `courier`; `clock` may count from any moment.
  package init(
    _ courier: any Courier, to route: DeliveryRoute,
    clock: @escaping @Sendable () -> Duration = Self.uptime,
    report: @escaping @Sendable (CourierExchange) -> Void
  ) {
    (self.courier, self.clock, self.report) = (courier, clock, report)
    switch route {
    case .http, .receiver: place = ""
    case .mqtt(let broker): place = broker("").words
    case .lines(let file): place = file ?? "standard output"
    }
  }

  package func deliver(_ delivery: Delivery) async throws(DeliveryError) -> HTTPResponse {
    let start = clock()
    let result: Result<HTTPResponse, DeliveryError>
    do throws(DeliveryError) {
      result = .success(try await courier.deliver(delivery))
    } catch {
      result = .failure(error)
    }
    report(CourierExchange(delivery, to: place, result, duration: clock() - start))
    return try result.get()
  }

  package func close() async { await courier.close() }

  private static let start = ContinuousClock.now
  /// Time since its first use.
  package static let uptime: @Sendable () -> Duration = { ContinuousClock.now - start }
}

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

  init(_ delivery: Delivery, to place: String, _ result: Result<HTTPResponse, DeliveryError>, duration: Duration) {
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

extension DeliveryError {
  var words: String {
    switch self {
    case .unavailable(let reason), .misdirected(let reason), .refused(let reason): reason
    case .libraryMissing(let name, _): "\(name) is not installed"
    }
  }
}
