// SPDX-License-Identifier: Apache-2.0
import HostSystem
import LibreKit
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

extension Session {
  /// The courier that carries a sink's requests and logs them. A file sink with the path `-` writes to standard output.
  package func courier(to route: DeliveryRoute, of setup: SinkSetup) -> any Courier {
    let courier = SinkCourier(to: route, timeoutSeconds: setup.timeoutSeconds) { bytes throws(Verdict) in
      if let failure = FileSystem.writeAll(bytes, to: Self.standardOutput) {
        throw .unavailable(reason: "standard output: \(FileSystem.text(failure))")
      }
    }
    return ObservedCourier(courier, to: route) { log($0, sink: setup.name) }
  }
}

extension SinkSetup {
  /// True for a file sink that writes to standard output, which the command itself uses for data.
  package var writesToStandardOutput: Bool { type.name == FileSink.type.name && values["path"] == "-" }
}
