// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport

@testable import GlucoseServer

/// A request to the server, of anybody: a request line, header fields, and nothing else. It is answered, the answer is
/// what its type says, and no value can be read without the secret.
enum ServerTarget {
  static let all = [
    FuzzTarget(name: "serve", seeds: { seeds.map { Array($0.utf8) } }, words: words, testRuns: 600, run: run)
  ]

  private static let secret = "correct horse battery"
  private static let now = Instant(secondsSince1970: 1_767_265_570)

  /// The method, the target and the fields of a request, line by line; the secret is asked for after a `!`.
  private static let seeds = [
    "GET\n/api/v1/entries.json?count=3&find[date][$gte]=1767265000000\nAccept: application/json",
    "GET\n//api/v1/entries/sgv.json?find%5Bdate%5D%5B$gt%5D=1.0}&count=3/\nIf-None-Match: \"1\"",
    "HEAD\n/sgv.json?brief_mode=Y&count=24&sensor=Y\nHost: localhost:17580",
    "GET\n/api/v1/treatments.json?find[created_at][$gte]=2026-01-01T00:00:00+01:00&find[eventType]=/a|b/\n",
    "GET\n/api/v2/properties/bgnow,buckets,delta,direction?pretty\n",
    "GET\n/pebble?units=mmol&count=2\nHost: [::1]", "OPTIONS\n/\nOrigin: https://dashboard.example",
    "GET\n/api/v3/entries?sort$desc=date&limit=10&fields=sgv,direction,date&type$eq=sgv\nAuthorization: Bearer a.b.c",
    "!GET\n/api/v2/authorization/request/token=\(secret)\napi-secret: null",
    "!GET\n/events?token=\(secret)\nLast-Event-ID: 1767265500000", "POST\n/api/v1/entries\n", "GET\n/metrics\n",
    "GET\n/latest.json\n", "GET\n/\n", "GET\nhttp://x/%\n",
  ]

  private static let words = [
    "find[", "%5B", "$gte", "$lt", "$exists", "[$or][0]", "count=", "dateString", "date", "created_at", ".json", ".txt",
    "/api/v", "/entries", "sgv", "mbg", "cal", "treatments", "properties", "token=", "secret=", "api-secret: ",
    "Authorization: Bearer ", "Accept: text/plain", "If-Modified-Since: ", "2026-01-01", "T10:00:00Z", "1767265500000",
    "&", "=", "/", "?", "!", secret,
  ]

  private static let snapshot = ServerSnapshot(
    revision: "1",
    glucose: (0..<300).map { minute in
      ServedGlucose(
        id: String(repeating: "0", count: 20) + String(1_000 + minute), time: now.adding(minutes: -minute),
        concentration: GlucoseConcentration(milligramsPerDecilitre: Double(20 + minute * 2)),
        delta: minute % 7 == 0 ? nil : Double(minute) / 3, direction: TrendDirection.allCases[minute % 8],
        device: "0M00009DHCR", isTrend: minute % 15 != 0)
    }, completeFrom: now.adding(days: -4),
    fingerSticks: [
      ServedFingerStick(
        id: String(repeating: "a", count: 24), time: now,
        concentration: GlucoseConcentration(milligramsPerDecilitre: 99),
        unit: .millimolesPerLitre, source: "libre")
    ])

  private static func run(_ bytes: [UInt8]) throws {
    let isGuarded = bytes.first == UInt8(ascii: "!")
    let lines = String(decoding: isGuarded ? bytes.dropFirst() : bytes[...], as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let fields = lines.dropFirst(2).map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      let value = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
      return (name: String(parts.first ?? ""), value: value)
    }
    let request = ServerRequest(method: lines[0], target: lines.count > 1 ? lines[1] : "/", headers: fields)
    try require(request.path.allSatisfy { !$0.isEmpty }, "an empty part of a path")
    guard let known = ServerSecret(secret) else { throw OracleFailure(description: "no secret") }
    let access = AccessRules(secret: isGuarded ? known : nil, origins: ["https://dashboard.example"])
    let core = ServerCore(access: access, unit: .milligramsPerDecilitre)
    // nil where the store would have to be read.
    guard let answer = core.answer(to: request, from: snapshot, now: now, store: nil) else { return }
    try require(statuses.contains(answer.status), "status \(answer.status)")
    if answer.contentType.hasPrefix("application/json"), !answer.body.isEmpty {
      // Throws for anything else.
      _ = try JSONValue(parsing: answer.body)
    }
    for (name, value) in answer.headers {
      let text = name + value
      try require(text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a header field of two lines: \(text)")
    }
    guard isGuarded, !mayKnow(lines) else { return }
    let text = String(decoding: answer.body, as: UTF8.self)
    try require(!text.contains("0M00009DHCR") && !text.contains("0000000000"), "values without the secret: \(text)")
  }

  private static let statuses: Set = [200, 204, 304, 400, 401, 403, 404, 405, 421]

  /// True if what was sent could hold the secret in any form. No input finds its hash, or a token, by itself.
  private static func mayKnow(_ lines: [String]) -> Bool {
    let text = lines.joined(separator: "\n")
    return text.contains("battery") || text.contains("%")
  }
}
