// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The whole answer to a request; its body is left out for HEAD.
struct ServerAnswer: Sendable {
  var status = 200
  var contentType: String
  /// Further header fields, `ETag` and `Last-Modified` among them.
  var headers: [(name: String, value: String)] = []
  var body: [UInt8]
  /// Keeps the answer open after `body` and sends what changes; nil for an answer that ends there.
  var updates: ServerUpdates?
  var client = Client.unknown

  enum Client: Hashable, Sendable {
    case unknown
    case wrongSecret
    /// The request had the secret, or none is needed.
    case authorized
  }

  static func json(status: Int = 200, _ write: (inout JSONWriter) -> Void) -> ServerAnswer {
    ServerAnswer(status: status, contentType: AnswerFormat.json.contentType, body: JSONWriter.line(write))
  }

  static func object(status: Int = 200, _ members: (inout JSONWriter) -> Void) -> ServerAnswer {
    json(status: status) { $0.object(members) }
  }
}

/// The bytes that are sent for each change of the store, until the client leaves or the server ends.
struct ServerUpdates: Sendable {
  /// Sent when nothing else was sent for 20 seconds, so that a client that has left is noticed.
  let keepAlive: [UInt8]
  /// The bytes for a change; empty for one that does not concern the client. `previous` is the snapshot of the call
  /// before, at first that of the answer: a client that reads slowly skips snapshots.
  let bytes: @Sendable (_ previous: ServerSnapshot, _ newest: ServerSnapshot) -> [UInt8]
}

extension ServerAnswer {
  /// The answer with its `ETag`, or 304 (GlucoseServer/ClientsAndPaths, "Asking again"; RFC 9110, 13).
  func revalidated(for request: ServerRequest, newest: Instant? = nil) -> ServerAnswer {
    guard status == 200, updates == nil else { return self }
    let tag = "W/\"\(String(body.count, radix: 16))-\(String(Self.hash(body), radix: 16))\""
    var answer = self
    answer.headers += [("ETag", tag), ("Cache-Control", "no-cache")]
    if let newest { answer.headers.append(("Last-Modified", HTTPDate.text(newest))) }
    guard isKnown(tag, newest: newest, to: request) else { return answer }
    answer.status = 304
    answer.body = []
    return answer
  }

  private func isKnown(_ tag: String, newest: Instant?, to request: ServerRequest) -> Bool {
    if let tags = request.headers["if-none-match"] {
      // Whether a tag is weak does not matter here.
      let opaque = tag.dropFirst(2)
      return tags.split(separator: ",").contains { candidate in
        let text = candidate.filter { $0 != " " && $0 != "\t" }
        return text == "*" || text == opaque || text == tag
      }
    }
    guard let newest, let text = request.headers["if-modified-since"],
      let since = HTTPDate.instant(text, now: newest)
    else { return false }
    return newest <= since
  }

  /// FNV-1a: it tells one answer from another, and need not withstand an attack.
  private static func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

/// A form in which an answer can be sent, and the choice among several (RFC 9110, 12.5.1).
enum AnswerFormat: String, CaseIterable {
  case text = "text/plain"
  case tabs = "text/tab-separated-values"
  case commas = "text/csv"
  case json = "application/json"
  case html = "text/html"
  case javascript = "application/javascript"

  var contentType: String { "\(rawValue); charset=utf-8" }

  /// The best of those offered (GlucoseServer/ClientsAndPaths, "Text rows"); nil if the client takes none of them.
  static func preferred(of offered: [AnswerFormat], for request: ServerRequest) -> AnswerFormat? {
    let accept = request.pathExtension.flatMap { types[$0] } ?? request.headers["accept"] ?? "*/*"
    let ranges = accept.split(separator: ",").enumerated().compactMap { MediaRange(String($1), place: $0) }
    return offered.enumerated().compactMap { index, format -> (rank: (Double, Int, Int, Int), format: AnswerFormat)? in
      let matches = ranges.compactMap { range in range.exactness(for: format.rawValue).map { (range, $0) } }
      // The most exact range decides about a type, also when it refuses it.
      guard let (range, exactness) = matches.max(by: { $0.1 < $1.1 }), range.quality > 0 else { return nil }
      return ((range.quality, exactness, -range.place, -index), format)
    }.max { $0.rank < $1.rank }?.format
  }

  /// Types by the suffixes with which clients name a format.
  static let types = [
    "json": "application/json", "txt": "text/plain", "tsv": "text/tab-separated-values", "csv": "text/csv",
    "html": "text/html", "js": "application/javascript", "svg": "image/svg+xml", "png": "image/png",
  ]
}

/// One of the types that a client accepts, `text/*;q=0.8`.
private struct MediaRange {
  let type: String
  let quality: Double
  let place: Int

  init?(_ text: String, place: Int) {
    let parts = text.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
    guard let type = parts.first, type.contains("/") else { return nil }
    self.type = type
    self.place = place
    quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
  }

  func exactness(for other: String) -> Int? {
    if type == other { return 2 }
    if type == "*/*" { return 0 }
    return type.hasSuffix("/*") && other.hasPrefix(type.dropLast()) ? 1 : nil
  }
}
