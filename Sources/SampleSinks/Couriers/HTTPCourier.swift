// SPDX-License-Identifier: Apache-2.0

/// Performs requests by HTTP and HTTPS, one after the other, over connections that it keeps.
///
/// Certificates and host names are verified, with TLS 1.2 or newer. A redirect is followed only if it keeps the method
/// and the body (307, 308) and leads to the same scheme, host and port, three times at most; any other is the answer
/// itself. Proxies come from the environment as for curl. Cookies, .netrc and compressed answers are not asked for.
///
/// Ran against servers of the tests' own with libcurl 7.88.1.
public final class HTTPCourier: Sendable {
  private let agent: String
  private let authorities: String?
  private let thread = CourierThread("http")
  #if CURL
    private let transfers: Result<CurlTransfers, DeliveryError>
  #endif

  /// `agent` is the `User-Agent`: `libre/1.2.3`. `authorities` is a PEM file of certificates that are trusted instead
  /// of the system's.
  public init(agent: String, authorities: String? = nil) {
    self.agent = agent
    self.authorities = authorities
    #if CURL
      transfers = CurlLibrary.loaded.flatMap { library in
        Result { () throws(DeliveryError) in try CurlTransfers(library) }
      }
    #endif
  }

  /// Sends `request` and waits for the whole answer, of whose body the first MiB is kept.
  ///
  /// `timeoutSeconds` is for all of it, redirects and the wait for earlier requests included. Throws `unavailable` also
  /// if the task is cancelled, and `misdirected` for a request that cannot be sent as it is.
  public func perform(_ request: HTTPRequest, timeoutSeconds: Int) async throws(DeliveryError) -> HTTPResponse {
    try request.check()
    #if CURL
      let transfers = try transfers.get()
      let limit = Duration.seconds(max(1, min(timeoutSeconds, 86_400)))
      let end = ContinuousClock.now + limit
      // libcurl keeps the time itself; the second is for a name server that holds its thread.
      return try await thread.perform(within: limit + .seconds(1), wake: transfers.wake) {
        [agent, authorities] isWanted throws(DeliveryError) in
        try Self.follow(request, agent, authorities, until: end, transfers, while: isWanted)
      }
    #else
      throw .libraryMissing(name: "libcurl (this build of libre was made without it)", package: "libcurl4")
    #endif
  }

  #if CURL
    private static let mostRedirects = 3

    private static func follow(
      _ request: HTTPRequest, _ agent: String, _ authorities: String?, until end: ContinuousClock.Instant,
      _ transfers: CurlTransfers, while isWanted: () -> Bool
    ) throws(DeliveryError) -> HTTPResponse {
      let library = try CurlLibrary.loaded.get()
      guard let origin = library.origin(of: request.url) else {
        throw .misdirected(
          reason: "the URL is not one of http:// or https:// that can be read, without a user name and password in it")
      }
      var url = request.revealedURL()
      var redirects = 0
      while true {
        let settings = CurlTransfers.Settings(
          agent: agent, authorities: authorities,
          milliseconds: max(1, Int((end - .now) / .milliseconds(1))))
        let outcome = try transfers.perform(request, to: url, origin, settings, while: isWanted)
        guard [307, 308].contains(outcome.response.status), redirects < mostRedirects,
          let next = outcome.location, library.origin(of: next) == origin
        else { return outcome.response }
        url = next
        redirects += 1
      }
    }
  #endif
}

extension HTTPRequest {
  /// Throws `misdirected` if a header would end its line and begin another, or would be cut at a NUL.
  fileprivate func check() throws(DeliveryError) {
    for header in headers {
      guard !header.name.isEmpty, header.name.utf8.allSatisfy(\.isTokenCharacter) else {
        throw .misdirected(reason: "a header has a name that HTTP does not allow")
      }
      guard header.revealedValue.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        throw .misdirected(
          reason: "the value of the header \(header.name) has a line break or another control character in it")
      }
    }
  }
}

extension HTTPRequest.Header {
  /// For the line that goes to the server, and nothing else.
  var revealedValue: String {
    switch value {
    case .plain(let text): text
    case .secret(let prefix, let secret): prefix + secret.revealed()
    }
  }
}
