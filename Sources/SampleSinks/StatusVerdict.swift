// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import TextFormats

/// What an HTTP status means for a batch, where a receiver has no meaning of its own (SampleSinks/Receivers,
/// "Retries").
///
/// | status | verdict |
/// |---|---|
/// | 2xx | accepted, whatever is echoed; unavailable if it is a page for people, as of a proxy or a site that is being mended |
/// | 3xx | unavailable: the address leads somewhere else for now; a courier has followed what may be followed |
/// | 408 409 425 429, 5xx and what HTTP does not know | unavailable, with `Retry-After` in seconds or as a date |
/// | 413 | too large |
/// | 400 415 422 | rejected: the bytes are wrong |
/// | 401 | unauthorized: the secret is wrong or missing |
/// | 403 | refused: the secret is known, and does not allow it |
/// | other 4xx | refused: not the bytes are wrong but the address or the account, and so it would be for each batch |
public struct StatusVerdict: Sendable {
  /// No wait that a receiver asks for is longer (31 days), so that no number of its own making is added to a clock.
  public static let longestWait = 2_678_400

  private let secrets: [Secret]
  private let acceptsPages: Bool

  /// `secrets` are all that was sent, in the forms in which they were: a receiver may echo them, and a reason is kept.
  /// `acceptsPages` is for a receiver that may answer as it likes.
  public init(hiding secrets: [Secret], acceptsPages: Bool = false) {
    self.secrets = secrets
    self.acceptsPages = acceptsPages
  }

  public func verdict(on response: HTTPResponse, now: Instant) -> Verdict {
    let reason = reason(response)
    switch response.status {
    case 200...299 where !acceptsPages && response.looksLikeHTML:
      return .unavailable(reason: "a web page answered, not the receiver itself: \(reason)", after: nil)
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

  /// `HTTP 401: ` and the receiver's words.
  public func reason(_ response: HTTPResponse) -> String {
    let words = ReceiverText.shown(response.body, hiding: secrets)
    return words.isEmpty ? "HTTP \(response.status)" : "HTTP \(response.status): \(words)"
  }

  private func redirection(_ response: HTTPResponse) -> String {
    guard let place = response[header: "location"] else { return reason(response) }
    let shown = ReceiverText.shown(Array(place.utf8), hiding: secrets)
    return
      "HTTP \(response.status): the address redirects to \(shown), which is not followed; if it stays so, set that address"
  }

  /// Seconds that `Retry-After` asks for; nil if it does not, or in no form that is known.
  static func wait(_ response: HTTPResponse, now: Instant) -> Int? {
    guard let text = response[header: "retry-after"]?.split(separator: " ").joined(separator: " ") else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) {
      return min(Int(text) ?? longestWait, longestWait)
    }
    guard let date = HTTPDate.instant(text, now: now) else { return nil }
    return min(max(0, Int(date.secondsSince1970 - now.secondsSince1970)), longestWait)
  }
}

extension StatusVerdict {
  /// Throws what a status means, unless it is a success or one of `also`.
  func requireSuccess(_ response: HTTPResponse, also: Set<Int> = [], now: Instant) throws(PreparationFailure) {
    let verdict = verdict(on: response, now: now)
    if case .accepted = verdict { return }
    if also.contains(response.status) { return }
    throw PreparationFailure(verdict)
  }

  /// What an answer says. Throws `unavailable` for one that cannot be read: it may have been cut on its way, and to ask
  /// again does no harm.
  func value<Value: Decodable>(_ type: Value.Type, of response: HTTPResponse) throws(PreparationFailure) -> Value {
    do throws(JSONError) {
      return try JSONReading.value(type, from: response.body)
    } catch {
      throw unreadable(response)
    }
  }

  func unreadable(_ response: HTTPResponse) -> PreparationFailure {
    PreparationFailure(.unavailable(reason: "an answer that was not expected: \(reason(response))", after: nil))
  }
}

extension HTTPResponse {
  /// True for a page for people, such as a proxy's.
  fileprivate var looksLikeHTML: Bool { body.prefix(1_024).first { !TextLine.isBlank($0) } == UInt8(ascii: "<") }
}

/// What receivers make up and we send back to them.
enum ReceivedName {
  /// Fit for an address: ASCII letters, digits, dashes and underscores, at most 128.
  static func isIdentifier(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count) && text.unicodeScalars.allSatisfy { $0.isPlain || $0 == "_" }
  }

  /// Fit for a header: ASCII that can be printed, without blanks, at most 4096.
  static func isToken(_ text: String) -> Bool {
    (1...4096).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
