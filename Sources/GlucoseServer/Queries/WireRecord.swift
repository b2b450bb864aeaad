// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

enum WireValue: Hashable {
  case text(String)
  /// Never written with a decimal point: decoders of Go and Kotlin refuse `118.0` for a whole number.
  case whole(Int)
  case decimal(Double)
  /// A moment as milliseconds since 1970.
  case milliseconds(Instant)
  /// A moment as a string, `2026-01-01T11:05:00.000Z`: the only form that every client reads. Parsers of Go and Swift
  /// refuse an offset without a colon, and any number of decimals but three.
  case date(Instant)
  case flag(Bool)
  case null

  func write(to json: inout JSONWriter) {
    switch self {
    case .text(let text): json.string(text)
    case .whole(let number): json.value(number)
    case .decimal(let number): json.value(number, places: 3)
    case .milliseconds(let instant): json.value(instant.milliseconds)
    case .date(let instant): json.string(instant.rfc3339Milliseconds)
    case .flag(let flag): json.value(flag)
    case .null: json.null()
    }
  }
}

struct WireRecord: Hashable {
  struct Member: Hashable {
    let name: String
    let value: WireValue
  }

  var members: [Member]

  init(_ members: KeyValuePairs<String, WireValue?>) {
    self.members = members.compactMap { name, value in value.map { Member(name: name, value: $0) } }
  }

  subscript(name: String) -> WireValue? { members.first { $0.name == name }?.value }

  func keeping(_ isKept: (_ name: String) -> Bool) -> WireRecord {
    var record = self
    record.members.removeAll { !isKept($0.name) }
    return record
  }

  mutating func append(_ name: String, _ value: WireValue) { members.append(Member(name: name, value: value)) }

  func write(to json: inout JSONWriter) {
    json.object { json in
      for member in members { json.member(member.name) { member.value.write(to: &$0) } }
    }
  }
}

extension ServerAnswer {
  static func records(_ records: [WireRecord]) -> ServerAnswer {
    json { $0.array(records) { $1.write(to: &$0) } }
  }
}
