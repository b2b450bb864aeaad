// SPDX-License-Identifier: Apache-2.0
public import SampleSinks

/// A courier around another one that reports what was carried, how it ended and how long it took. Libraries do not log:
/// whoever makes it does.
public struct ObservedCourier: Courier {
  private let courier: any Courier
  private let place: String
  private let clock: @Sendable () -> Duration
  private let report: @Sendable (CourierExchange) -> Void

  /// `route` is that of `courier`. `clock` counts from any moment.
  public init(
    _ courier: any Courier, to route: DeliveryRoute,
    clock: @escaping @Sendable () -> Duration = Self.uptime,
    report: @escaping @Sendable (CourierExchange) -> Void
  ) {
    self.courier = courier
    self.clock = clock
    self.report = report
    switch route {
    case .http: place = ""
    case .mqtt(let broker): place = broker("").words
    case .lines(let file): place = file ?? "standard output"
    }
  }

  public func ask(_ request: HTTPRequest) async throws(DeliveryError) -> HTTPResponse {
    try await carry(.http(request)) { () async throws(DeliveryError) in try await courier.ask(request) }
  }

  public func deliver(_ delivery: Delivery) async throws(DeliveryError) -> HTTPResponse {
    try await carry(delivery) { () async throws(DeliveryError) in try await courier.deliver(delivery) }
  }

  public func close() async { await courier.close() }

  private static let start = ContinuousClock.now
  /// Since the first call.
  public static let uptime: @Sendable () -> Duration = { ContinuousClock.now - start }

  private func carry(
    _ delivery: Delivery, _ work: () async throws(DeliveryError) -> HTTPResponse
  ) async throws(DeliveryError) -> HTTPResponse {
    let start = clock()
    let result: Result<HTTPResponse, DeliveryError>
    do throws(DeliveryError) {
      result = .success(try await work())
    } catch {
      result = .failure(error)
    }
    report(CourierExchange(delivery, to: place, result, duration: clock() - start))
    return try result.get()
  }
}

/// What a courier carried: neither secrets nor what was measured.
public struct CourierExchange: Hashable, Sendable {
  /// HTTP's, `PUBLISH` to a broker, `APPEND` to a file.
  public let method: String
  /// Scheme, host and path without the query, which may say whose values are asked for; a broker, or a file.
  public let address: String
  /// The request's, with placeholders for secrets; empty but for HTTP.
  public let headers: [String]
  /// Messages for a broker; nil for what is not one.
  public let messages: Int?
  /// The bytes of the body, of the messages' payloads, or of the lines.
  public let sentBytes: Int
  /// nil where nothing was answered, and for what is not HTTP.
  public let status: Int?
  /// The bytes of the answer's body.
  public let receivedBytes: Int?
  /// Why nothing was answered; nil if all went well.
  public let failure: String?
  public let duration: Duration

  init(_ delivery: Delivery, to place: String, _ result: Result<HTTPResponse, DeliveryError>, duration: Duration) {
    self.duration = duration
    let response = try? result.get()
    switch delivery {
    case .http(let request):
      method = request.method.rawValue
      address = String(request.url.prefix { $0 != "?" })
      headers = request.headers.map { header in
        switch header.value {
        case .plain(let value): "\(header.name): \(value)"
        case .secret(let prefix, let secret): "\(header.name): \(prefix)\(secret)"
        }
      }
      (messages, sentBytes) = (nil, request.body.count)
      (status, receivedBytes) = (response?.status, response?.body.count)
    case .mqtt(let sent):
      (method, address, headers) = ("PUBLISH", place, [])
      (messages, sentBytes) = (sent.count, sent.reduce(0) { $0 + $1.payload.count })
      (status, receivedBytes) = (nil, nil)
    case .lines(let bytes):
      (method, address, headers) = ("APPEND", place, [])
      (messages, sentBytes) = (nil, bytes.count)
      (status, receivedBytes) = (nil, nil)
    }
    failure = if case .failure(let error) = result { error.words } else { nil }
  }
}

extension DeliveryError {
  fileprivate var words: String {
    switch self {
    case .unavailable(let reason), .misdirected(let reason), .refused(let reason): reason
    case .libraryMissing(let name, _): "\(name) is not on this machine"
    }
  }
}
