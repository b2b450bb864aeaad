// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// Transports one sink's requests to its receiver, and returns the answers.
package protocol Courier: Sendable {
  /// Delivers; returns 204 if a receiver only acknowledges.
  func deliver(_ delivery: Delivery) async throws(Verdict) -> HTTPResponse
  func close() async
}

extension Courier {
  package func ask(_ request: HTTPRequest) async throws(Verdict) -> HTTPResponse {
    try await deliver(.http(request))
  }

  /// Makes the request of a preparation, and learns the values of its answer.
  func prepare(_ preparation: Preparation, _ memory: inout SinkState) async throws(Verdict) {
    try preparation.learn(try await ask(preparation.request), &memory)
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
    write: @escaping @Sendable ([UInt8]) throws(Verdict) -> Void
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

  package func deliver(_ delivery: Delivery) async throws(Verdict) -> HTTPResponse {
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
