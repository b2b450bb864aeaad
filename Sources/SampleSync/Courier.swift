// SPDX-License-Identifier: Apache-2.0
import LibreKit
package import SampleSinks

/// Transports one sink's requests to its receiver, and returns the answers.
package protocol Courier: Sendable {
  func ask(_ request: HTTPRequest) async throws(DeliveryError) -> HTTPResponse
  /// Delivers; returns 204 if a receiver only acknowledges.
  func deliver(_ delivery: Delivery) async throws(DeliveryError) -> HTTPResponse
  /// Ends the connection.
  func close() async
}

/// The real courier: over libcurl, or to a file. Keeps connections while it exists.
package final class SinkCourier: Courier {
  private let http: HTTPCourier
  private let mqtt: MQTTCourier?
  private let lines: LineCourier?
  private let timeoutSeconds: Int

  /// Creates a courier. `write` writes to standard output.
  package init(
    to route: DeliveryRoute, timeoutSeconds: Int,
    write: @escaping @Sendable ([UInt8]) throws(DeliveryError) -> Void
  ) {
    http = HTTPCourier(agent: "\(Program.name)/\(Program.version)")
    self.timeoutSeconds = timeoutSeconds
    switch route {
    case .http: (mqtt, lines) = (nil, nil)
    case .mqtt(let broker):
      // No two connections to a broker may have the same client id.
      mqtt = MQTTCourier(broker("libre-\(String(UInt64.random(in: .min ... .max), radix: 16))"))
      lines = nil
    case .lines(let file): (mqtt, lines) = (nil, file.map { LineCourier(file: $0) } ?? LineCourier(write: write))
    }
  }

  package func ask(_ request: HTTPRequest) async throws(DeliveryError) -> HTTPResponse {
    try await http.perform(request, timeoutSeconds: timeoutSeconds)
  }

  package func deliver(_ delivery: Delivery) async throws(DeliveryError) -> HTTPResponse {
    switch delivery {
    case .http(let request): return try await ask(request)
    case .mqtt(let messages): try await mqtt?.publish(messages, timeoutSeconds: timeoutSeconds)
    case .lines(let bytes): try await lines?.append(bytes, timeoutSeconds: timeoutSeconds)
    }
    return HTTPResponse(status: 204)
  }

  package func close() async { await mqtt?.close() }
}
