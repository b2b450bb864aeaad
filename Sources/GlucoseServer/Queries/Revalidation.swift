// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

extension ServerAnswer {
  /// The answer with its `ETag`, or 304 for a client that has it already (RFC 9110, 13).
  ///
  /// The tag is made of the body, so that two answers with one tag are the same whatever made them. `If-Modified-Since`
  /// counts only for a client that sends no tag: it looks at the newest record alone, as Nightscout does, and a value that
  /// was scanned later than a newer one would be missed by it.
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
