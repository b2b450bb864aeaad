// SPDX-License-Identifier: Apache-2.0

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
