// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing
import TextFormats

@testable import CommandSupport
@testable import SampleSync

@Suite("An observed courier") struct ObservedCourierTests {
  private final class Log: Sendable {
    private let kept = Mutex<[CourierExchange]>([])
    var exchanges: [CourierExchange] { kept.withLock { $0 } }
    func add(_ exchange: CourierExchange) { kept.withLock { $0.append(exchange) } }
  }

  /// Answers every delivery alike, and keeps them.
  private final class Answering: Courier {
    private let result: Result<HTTPResponse, Verdict>
    private let kept = Mutex<[Delivery]>([])
    var deliveries: [Delivery] { kept.withLock { $0 } }
    init(_ result: Result<HTTPResponse, Verdict>) { self.result = result }

    func deliver(_ delivery: Delivery) async throws(Verdict) -> HTTPResponse {
      kept.withLock { $0.append(delivery) }
      return try result.get()
    }

    func close() async {}
  }

  private let log = Log()

  private func observed(_ courier: any Courier, _ route: DeliveryRoute = .http) -> ObservedCourier {
    let readings = Mutex(0)
    // A clock that advances by a quarter of a second each time it is read.
    return ObservedCourier(
      courier, to: route,
      clock: {
        readings.withLock { readings in
          readings += 1
          return .milliseconds(250 * readings)
        }
      }
    ) { [log] in log.add($0) }
  }

  @Test("passes request and response on, and reports method, address, sizes, status and duration")
  func request() async throws {
    let inner = Answering(.success(HTTPResponse(status: 201, body: Array("fine".utf8))))
    let request = HTTPRequest(
      .post, "https://ns.example/api/v1/entries?find=0M00009DHCR",
      headers: [
        .init("Content-Type", "application/json"), .init("api-secret", secret: Secret("planted"), prefix: "Key "),
      ], body: [1, 2, 3])
    let answer = try await observed(inner).deliver(.http(request))
    #expect(answer.status == 201 && inner.deliveries == [.http(request)])
    let exchange = try #require(log.exchanges.first)
    #expect(log.exchanges.count == 1)
    #expect(exchange.method == "POST" && exchange.address == "https://ns.example/api/v1/entries")
    #expect(exchange.headers == ["Content-Type: application/json", "api-secret: Key (secret)"])
    #expect(exchange.sentBytes == 3 && exchange.receivedBytes == 4 && exchange.status == 201)
    #expect(exchange.failure == nil && exchange.messages == nil && exchange.duration == .milliseconds(250))
  }

  @Test("reports the cause of a missing response, and rethrows the error")
  func failure() async {
    let observed = observed(Answering(.failure(.unavailable(reason: "no answer"))))
    await #expect(throws: Verdict.unavailable(reason: "no answer")) {
      _ = try await observed.ask(HTTPRequest(.get, "http://127.0.0.1:9/status"))
    }
    #expect(log.exchanges.map(\.failure) == ["no answer"])
    #expect(log.exchanges.map(\.status) == [nil] && log.exchanges.map(\.address) == ["http://127.0.0.1:9/status"])
  }

  @Test("reports messages by their number and never by their topics, which may name a sensor, and lines by their file")
  func messages() async throws {
    let broker = DeliveryRoute.mqtt { MQTTBroker(host: "broker.example", port: 8883, encryption: .tls, clientID: $0) }
    let message = MQTTMessage(topic: "libre/0M00009DHCR/state", payload: [1, 2], isRetained: true)
    _ = try await observed(Answering(.success(HTTPResponse(status: 204))), broker).deliver(.mqtt([message, message]))
    let exchange = try #require(log.exchanges.first)
    #expect(exchange.method == "PUBLISH" && exchange.address == "mqtts://broker.example:8883")
    #expect(exchange.messages == 2 && exchange.sentBytes == 4 && exchange.headers.isEmpty)
    #expect(!String(describing: exchange).contains("0M00009DHCR"))
    _ = try await observed(Answering(.success(HTTPResponse(status: 204))), .lines(file: "/x/out")).deliver(
      .lines([1, 2, 3]))
    _ = try await observed(Answering(.success(HTTPResponse(status: 204))), .lines(file: nil)).deliver(.lines([1]))
    #expect(log.exchanges.dropFirst().map(\.address) == ["/x/out", "standard output"])
    #expect(log.exchanges.dropFirst().map(\.method) == ["APPEND", "APPEND"])
    #expect(log.exchanges.dropFirst().map(\.sentBytes) == [3, 1])
  }
}
