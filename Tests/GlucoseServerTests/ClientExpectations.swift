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
  case object
  case list
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
    case (.number, .number), (.text, .string), (.list, .array), (.object, .object): true
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
  var headers: [String: String] = [:]
  /// How many elements the answer, or the list in it, may have; nil for no list.
  var rows: ClosedRange<Int>?
  /// Members by their path: `*.sgv` in every element, `0.delta` in the first.
  var needs: KeyValuePairs<String, ExpectedKind> = [:]
  /// Whether each row must be a glucose value with its time and direction.
  var isGlucose = false
  /// A check of an answer that is not JSON, or of members that must be left out.
  var isUsable: @Sendable (ServerAnswer) -> Bool = { _ in true }

  /// Rows of glucose values, with what the program needs besides value, time and direction.
  static func values(
    _ programs: String, _ target: String, _ rows: ClosedRange<Int>, headers: [String: String] = [:],
    also needs: KeyValuePairs<String, ExpectedKind> = [:],
    isUsable: @escaping @Sendable (ServerAnswer) -> Bool = { _ in true }
  ) -> ClientRequest {
    ClientRequest(
      programs: programs, target: target, headers: headers, rows: rows, needs: needs, isGlucose: true,
      isUsable: isUsable)
  }

  /// A list that has to be there, and has no element.
  static func empty(_ programs: String, _ target: String, headers: [String: String] = [:]) -> ClientRequest {
    ClientRequest(programs: programs, target: target, headers: headers, rows: 0...0)
  }

  private static let glucose: KeyValuePairs<String, ExpectedKind> = [
    "*.sgv": .whole, "*.date": .milliseconds, "*.direction": .direction,
  ]

  func check(against example: ServedExample) throws {
    let answer = try example.answer(target, headers: headers)
    #expect(answer.status == 200 && isUsable(answer), "\(target)")
    guard rows != nil || !needs.isEmpty else { return }
    #expect(answer.contentType == "application/json; charset=utf-8", "\(target)")
    let json = try JSONValue(parsing: answer.body)
    if let rows { #expect(rows.contains(json.elements.count), "\(target): \(json.elements.count) rows") }
    for (path, kind) in Array(needs) + (isGlucose ? Array(Self.glucose) : []) {
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
