// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import GlucoseServer

/// What a client takes a member of an answer for.
enum ExpectedKind: Hashable, Sendable {
  /// A number that a decoder of whole numbers takes.
  case whole
  case number
  case text
  /// Milliseconds since 1970, between the start of the example and its present.
  case milliseconds
  /// RFC 3339 with a zone.
  case date
  /// One of the words that Trio and an older client decode; on any other they refuse the whole answer.
  case direction
  case emptyList
  case exactly(JSONValue)

  private static let directions: Set = [
    "NONE", "TripleUp", "DoubleUp", "SingleUp", "FortyFiveUp", "Flat", "FortyFiveDown", "SingleDown", "DoubleDown",
    "TripleDown", "NOT COMPUTABLE", "RATE OUT OF RANGE",
  ]

  func accepts(_ value: JSONValue) -> Bool {
    switch (self, value) {
    case (.whole, .number(let number)): number == number.rounded()
    case (.milliseconds, .number(let number)):
      number == number.rounded() && (1_766_000_000_000...1_767_265_570_000).contains(number)
    case (.number, .number), (.text, .string): true
    case (.date, .string(let text)): Instant(rfc3339: text) != nil
    case (.direction, .string(let text)): Self.directions.contains(text)
    case (.emptyList, .array(let elements)): elements.isEmpty
    case (.exactly(let expected), _): value == expected
    default: false
    }
  }
}

/// A request as programs send it that people have (GlucoseServer/ClientsAndPaths, "Who asks what"), and what they need
/// in the answer. A request line that several programs send, but for its numbers, is here once.
struct ClientRequest: Sendable, CustomTestStringConvertible {
  let programs: String
  /// The target of the request line, letter by letter.
  let target: String
  /// How many elements the answer, or the list in it, may have; nil for no list.
  let rows: ClosedRange<Int>?
  let headers: [String: String]
  /// Members by their path: `*.sgv` in every element, `0.delta` in the first; besides those of ``usual``.
  let needs: KeyValuePairs<String, ExpectedKind>
  /// A check of an answer that is not JSON, or of its fields.
  let isUsable: (@Sendable (ServerAnswer) -> Bool)?

  init(
    _ programs: String, _ target: String, _ rows: ClosedRange<Int>? = nil, headers: [String: String] = [:],
    also needs: KeyValuePairs<String, ExpectedKind> = [:], isUsable: (@Sendable (ServerAnswer) -> Bool)? = nil
  ) {
    (self.programs, self.target, self.rows) = (programs, target, rows)
    (self.headers, self.needs, self.isUsable) = (headers, needs, isUsable)
  }

  private static let glucose: KeyValuePairs<String, ExpectedKind> = [
    "*.sgv": .whole, "*.date": .milliseconds, "*.direction": .direction, "*.delta": .number, "*.trend": .whole,
    "*.noise": .whole,
  ]

  /// Members that programs read of every answer whose address begins so.
  private static let usual: KeyValuePairs<String, [(String, ExpectedKind)]> = [
    "/sgv.json": Array(glucose).map { ($0.key, $0.value) },
    "/api/v[12]/entries": Array(glucose).map { ($0.key, $0.value) } + [
      ("*._id", .text), ("*.type", .exactly(.string("sgv"))), ("*.device", .text), ("*.dateString", .date),
      ("*.sysTime", .date), ("*.mills", .milliseconds), ("*.utcOffset", .whole),
    ],
    "/api/v1/treatments": [("*._id", .text), ("*.created_at", .date), ("*.eventType", .text)],
    "/treatments.json": [("*._id", .text), ("*.created_at", .milliseconds), ("*.eventType", .text)],
    "(/api/v[12])?/status": [
      ("status", .exactly(.string("ok"))), ("name", .text), ("version", .text),
      ("settings.units", .exactly(.string("mg/dl"))), ("settings.customTitle", .text),
    ] + ["bgLow", "bgTargetBottom", "bgTargetTop", "bgHigh"].map { ("settings.thresholds.\($0)", .whole) },
    "/api/v3/entries": [
      ("result.*.sgv", .whole), ("result.*.date", .milliseconds), ("result.*.direction", .direction),
    ],
  ]

  func check(against example: ServedExample) throws {
    let answer = try example.answer(target, headers: headers)
    #expect(answer.status == 200 && isUsable?(answer) != false, "\(target)")
    guard answer.contentType == "application/json; charset=utf-8" else { return #expect(isUsable != nil, "\(target)") }
    let json = try JSONValue(parsing: answer.body)
    if let rows { #expect(rows.contains(json.elements.count), "\(target): \(json.elements.count) rows") }
    if rows == 0...0 { return }
    let usual = try Self.usual.filter { try Regex("^" + $0.key).firstMatch(in: target) != nil }.flatMap(\.value)
    for (path, kind) in usual + needs.map({ ($0.key, $0.value) }) {
      let found = Self.values(at: path.split(separator: ".")[...], in: json)
      #expect(!found.isEmpty && found.allSatisfy(kind.accepts), "\(path) of \(target): \(found)")
    }
  }

  var testDescription: String { "\(programs): \(target)" }

  private static func values(at path: ArraySlice<Substring>, in json: JSONValue) -> [JSONValue] {
    guard let first = path.first else { return [json] }
    let rest = path.dropFirst()
    if first == "*" { return json.elements.flatMap { values(at: rest, in: $0) } }
    return values(at: rest, in: Int(first).map { json[$0] } ?? json[String(first)])
  }
}
