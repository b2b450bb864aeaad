// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Performs requests by HTTP and HTTPS, one after the other, over persistent connections. Verifies certificates and
/// host names, with TLS 1.2 or newer. Uses proxies of the environment as curl, but no cookies, .netrc and compression.
/// Follows a redirect only if it keeps the method and the body (307, 308) and leads to the same scheme, host and port,
/// at most three times; any other one is returned as the answer. Run against test servers with libcurl 7.88.1.
package final class HTTPCourier: Sendable {
  private let thread = CourierThread("http")
  #if CURL
    private let transfers: Result<CurlTransfers, Verdict>
  #endif

  /// `agent`: `libre/1.2.3`. `authorities` is a PEM file of certificates that are trusted instead of the system's.
  package init(agent: String, authorities: String? = nil) {
    #if CURL
      transfers = CurlLibrary.loaded.flatMap { library in
        Result { () throws(Verdict) in try CurlTransfers(library, agent: agent, authorities: authorities) }
      }
    #endif
  }

  /// Returns the answer with the first MiB of its body. `timeoutSeconds` includes redirects and earlier requests.
  /// - Throws: `unavailable` also if the task is cancelled, and `misdirected` for an invalid request.
  package func perform(_ request: HTTPRequest, timeoutSeconds: Int) async throws(Verdict) -> HTTPResponse {
    try request.check()
    #if CURL
      let transfers = try transfers.get()
      let limit = Duration.seconds(max(1, min(timeoutSeconds, 86_400)))
      let end = ContinuousClock.now + limit
      // libcurl has the same timeout; the extra second is for a name server that blocks its thread.
      return try await thread.perform(within: limit + .seconds(1), wake: transfers.wake) {
        isWanted throws(Verdict) in
        try Self.follow(request, until: end, transfers, while: isWanted)
      }
    #else
      throw .libraryMissing(name: "libcurl (this build of libre was made without it)", package: "libcurl4")
    #endif
  }

  #if CURL
    private static let maximumRedirects = 3

    private static func follow(
      _ request: HTTPRequest, until end: ContinuousClock.Instant, _ transfers: CurlTransfers,
      while isWanted: () -> Bool
    ) throws(Verdict) -> HTTPResponse {
      let library = try CurlLibrary.loaded.get()
      guard let origin = library.origin(of: request.url) else {
        throw .misdirected(reason: "invalid URL: expected http:// or https:// without user name and password")
      }
      var url = request.revealedURL()
      var redirects = 0
      while true {
        let milliseconds = max(1, Int(saturating: (end - .now) / .milliseconds(1)))
        let outcome = try transfers.perform(request, to: url, origin, milliseconds: milliseconds, while: isWanted)
        guard [307, 308].contains(outcome.response.status), redirects < maximumRedirects,
          let next = outcome.location, library.origin(of: next) == origin
        else { return outcome.response }
        url = next
        redirects += 1
      }
    }
  #endif
}

extension HTTPRequest {
  /// A line break in a header would start another header, and a NUL would cut it.
  fileprivate func check() throws(Verdict) {
    for header in headers {
      guard !header.name.isEmpty, header.name.utf8.allSatisfy(\.isTokenCharacter) else {
        throw .misdirected(reason: "a header has an invalid name")
      }
      guard header.revealedValue.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        throw .misdirected(
          reason: "the value of the header \(header.name) contains a line break or another control character")
      }
    }
  }
}

extension HTTPRequest.Header {
  /// Value for the line that goes to the server only.
  var revealedValue: String {
    switch value {
    case .plain(let text): text
    case .secret(let prefix, let secret): prefix + secret.revealed()
    }
  }
}
