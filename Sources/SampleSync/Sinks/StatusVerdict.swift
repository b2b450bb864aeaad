// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import TextFormats

/// Meaning of an HTTP status for receivers without rules of their own (SampleSync/Receivers, "Retries"). A 2xx is
/// accepted, whatever is echoed, except for a web page, such as a proxy's; couriers follow permitted redirects. Unknown
/// codes are temporary, like 5xx; an unknown 4xx would fail for every batch.
package struct StatusVerdict: Sendable {
  /// Maximum wait that a receiver can request in seconds (a day): one faulty answer must not silence a sink for longer.
  package static let maximumWait = 86_400

  private let secrets: [Secret]
  private let acceptsPages: Bool

  /// `secrets` are those in the forms that were sent. `acceptsPages` is for a receiver that may answer with anything.
  package init(hiding secrets: [Secret], acceptsPages: Bool = false) {
    (self.secrets, self.acceptsPages) = (secrets, acceptsPages)
  }

  package func verdict(on response: HTTPResponse, now: Instant) -> Verdict {
    let reason = reason(response)
    switch response.status {
    case 200...299 where !acceptsPages && response.looksLikeHTML:
      return .unavailable(reason: "a web page answered in place of the receiver: \(reason)")
    case 200...299: return .accepted(duplicates: nil)
    case 300...399: return .unavailable(reason: redirection(response), after: Self.wait(response, now: now))
    case 413: return .tooLarge(reason: reason)
    case 400, 415, 422: return .rejected(reason: reason)
    case 408, 409, 425, 429: return .unavailable(reason: reason, after: Self.wait(response, now: now))
    case 401: return .unauthorized(reason: reason)
    case 400...499: return .refused(reason: reason)
    default: return .unavailable(reason: reason, after: Self.wait(response, now: now))
    }
  }

  /// `HTTP 401: ` and the receiver's message.
  func reason(_ response: HTTPResponse) -> String {
    let words = shown(response.body)
    return words.isEmpty ? "HTTP \(response.status)" : "HTTP \(response.status): \(words)"
  }

  private func shown(_ bytes: [UInt8]) -> String { ReceivedText.shown(bytes, hiding: secrets.map { $0.revealed() }) }

  private func redirection(_ response: HTTPResponse) -> String {
    guard let place = response[header: "location"] else { return reason(response) }
    let shown = shown(Array(place.utf8))
    return
      "HTTP \(response.status): the address redirects to \(shown), which is not followed; if this persists, configure that address"
  }

  /// The seconds of `Retry-After`; nil if it is missing or unreadable.
  static func wait(_ response: HTTPResponse, now: Instant) -> Int? {
    guard let text = response[header: "retry-after"]?.split(separator: " ").joined(separator: " ") else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) {
      return min(Int(text) ?? maximumWait, maximumWait)
    }
    guard let date = HTTPDate.instant(text, now: now) else { return nil }
    return min(max(0, Int(date.secondsSince1970 - now.secondsSince1970)), maximumWait)
  }

  /// Throws the verdict on a status, unless it is a success or one of `also`.
  func requireSuccess(_ response: HTTPResponse, also: Set<Int> = [], now: Instant) throws(Verdict) {
    let verdict = verdict(on: response, now: now)
    if case .accepted = verdict { return }
    if !also.contains(response.status) { throw verdict }
  }

  /// - Throws: `unavailable` for an unreadable answer: it may have been cut off, and asking again is harmless.
  func value<Value: Decodable>(_ type: Value.Type, of response: HTTPResponse) throws(Verdict) -> Value {
    do throws(JSONError) {
      return try JSONReading.value(type, from: response.body)
    } catch {
      throw unreadable(response)
    }
  }

  func unreadable(_ response: HTTPResponse) -> Verdict {
    .unavailable(reason: "unexpected answer: \(reason(response))")
  }
}

extension HTTPResponse {
  /// True for a web page, such as a proxy's.
  fileprivate var looksLikeHTML: Bool { body.prefix(1_024).first { !TextLine.isSpace($0) } == UInt8(ascii: "<") }
}
