// SPDX-License-Identifier: Apache-2.0
import NFCTransport
package import SampleSync

/// A courier that reports each delivery of another one, because libraries do not log.
package struct ObservedCourier: Courier {
  private let courier: any Courier
  private let place: String
  private let clock: @Sendable () -> Duration
  private let report: @Sendable (CourierExchange) -> Void

  /// `route` is that of `courier`; `clock` may count from any moment.
  package init(
    _ courier: any Courier, to route: DeliveryRoute,
    clock: @escaping @Sendable () -> Duration = ObservedReader.uptime,
    report: @escaping @Sendable (CourierExchange) -> Void
  ) {
    (self.courier, self.clock, self.report) = (courier, clock, report)
    switch route {
    case .http, .receiver: place = ""
    case .mqtt(let broker): place = broker("").words
    case .lines(let file): place = file ?? "standard output"
    }
  }

  package func deliver(_ delivery: Delivery) async throws(Verdict) -> HTTPResponse {
    let start = clock()
    let result: Result<HTTPResponse, Verdict>
    do throws(Verdict) {
      result = .success(try await courier.deliver(delivery))
    } catch {
      result = .failure(error)
    }
    report(CourierExchange(delivery, to: place, result, duration: clock() - start))
    return try result.get()
  }

  package func close() async { await courier.close() }
}
