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
  /// A moment as a string, `2026-01-01T11:05:00.000Z`: the only form that every client reads.
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

  func write(to json: inout JSONWriter) { json.object(writeMembers) }

  fileprivate func writeMembers(to json: inout JSONWriter) {
    for member in members { json.member(member.name) { member.value.write(to: &$0) } }
  }
}

extension JSONWriter {
  mutating func members(_ members: KeyValuePairs<String, WireValue?>) { WireRecord(members).writeMembers(to: &self) }
}

extension ServerAnswer {
  static func records(_ records: [WireRecord]) -> ServerAnswer {
    json { $0.array(records) { $1.write(to: &$0) } }
  }
}

/// A direction in the two ways in which clients take it (GlucoseServer/ClientsAndPaths, "Direction and trend").
struct WireDirection {
  /// One of the words that every client knows. It is never left out: Nightguard drops a record without it.
  let word: String
  /// The number of Dexcom: it falls while glucose rises.
  let number: Int
  let arrow: String

  private static let numbered: [TrendDirection?] = [
    nil, .doubleUp, .singleUp, .fortyFiveUp, .flat, .fortyFiveDown, .singleDown, .doubleDown, .notComputable,
  ]

  init(_ direction: TrendDirection?) {
    word = direction?.rawValue ?? "NONE"
    number = Self.numbered.firstIndex(of: direction) ?? 0
    arrow = direction == .notComputable ? "-" : direction?.arrow ?? "⇼"
  }
}

extension ServedGlucose {
  /// Whole mg/dL, 39 to 500, which every client takes (GlucoseServer/ClientsAndPaths, "A glucose value").
  var wireValue: Int { Int(saturating: min(max(concentration.milligramsPerDecilitre, 39), 500).rounded()) }

  /// An `sgv` entry (GlucoseServer/ClientsAndPaths, "A glucose value"). A change that is not known is sent as 0.
  var record: WireRecord {
    let direction = WireDirection(direction)
    return WireRecord([
      "_id": .text(id), "type": .text("sgv"), "device": .text(device), "date": .milliseconds(time),
      "mills": .milliseconds(time), "dateString": .date(time), "sysTime": .date(time), "utcOffset": .whole(0),
      "sgv": .whole(wireValue), "delta": .decimal(delta ?? 0), "direction": .text(direction.word),
      "trend": .whole(direction.number), "noise": .whole(1), "rssi": .whole(100),
    ])
  }
}

extension ServedFingerStick {
  /// An `mbg` entry, only for clients that ask for the type (GlucoseServer/ClientsAndPaths, "What breaks clients").
  var entry: WireRecord {
    WireRecord([
      "_id": .text(id), "type": .text("mbg"), "device": .text(source), "date": .milliseconds(time),
      "mills": .milliseconds(time), "dateString": .date(time), "sysTime": .date(time), "utcOffset": .whole(0),
      "mbg": .whole(Int(saturating: concentration.milligramsPerDecilitre.rounded())),
    ])
  }

  /// A `BG Check` in the unit that the person reads: whole mg/dL would not survive the round trip to mmol/L.
  var treatment: WireRecord {
    WireRecord([
      "_id": .text(id), "eventType": .text("BG Check"), "created_at": .date(time), "timestamp": .date(time),
      "mills": .milliseconds(time), "date": .milliseconds(time), "glucose": wireGlucose, "glucoseType": .text("Finger"),
      "units": .text(unit.wireName), "enteredBy": .text(source), "utcOffset": .whole(0), "carbs": .null,
      "insulin": .null,
    ])
  }

  private var wireGlucose: WireValue {
    switch unit {
    case .milligramsPerDecilitre: .whole(Int(saturating: concentration.milligramsPerDecilitre.rounded()))
    case .millimolesPerLitre: .decimal((concentration.millimolesPerLitre * 10).rounded() / 10)
    }
  }
}

extension ServedSensor {
  /// A `Sensor Start`; nil if the start is not known (GlucoseServer/ClientsAndPaths, "Treatments").
  var treatment: WireRecord? {
    facts.activatedAt.map { time in
      WireRecord([
        "_id": .text(id), "eventType": .text("Sensor Start"), "created_at": .date(time), "timestamp": .date(time),
        "mills": .milliseconds(time), "date": .milliseconds(time), "enteredBy": .text("libre"), "notes": .text(serial),
        "utcOffset": .whole(0), "carbs": .null, "insulin": .null,
      ])
    }
  }
}

extension GlucoseUnit {
  /// The word of Nightscout: programs compare it letter by letter, xDrip with `mmol`, xDrip4iOS with `mg/dl`.
  var wireName: String {
    switch self {
    case .milligramsPerDecilitre: "mg/dl"
    case .millimolesPerLitre: "mmol"
    }
  }

  /// mg/dL as Nightscout shows them: in mmol/L with its own factor and one decimal.
  func shownByNightscout(_ milligramsPerDecilitre: Double) -> Double {
    switch self {
    case .milligramsPerDecilitre: milligramsPerDecilitre.rounded()
    case .millimolesPerLitre: (milligramsPerDecilitre / 18.01559 * 10).rounded() / 10
    }
  }
}
