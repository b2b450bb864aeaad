// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Apple Health's `export.xml`, of which only blood glucose records are read (HistoryFormats/Formats, "apple-health").
struct AppleHealthReader: HistoryReader {
  let name = "apple-health"
  let summary = "Apple Health's export.xml: records of blood glucose"

  func hasSignature(_ file: any HistoryFile) -> Bool {
    let head = file.head
    return head.contains(text: "<HealthData") || head.contains(text: "<!DOCTYPE HealthData")
  }

  @discardableResult func read(
    _ file: any HistoryFile, _ options: ImportOptions, _ entry: (HistoryEntry) throws(HistoryError) -> Void
  ) throws(HistoryError) -> HistoryFacts {
    guard hasSignature(file) else { throw .notThisFormat(lacks: HealthRecords.signature) }
    let records = HealthRecords(options)
    let events = try XMLEvents(records)
    try file.forEachChunk { (chunk) throws(HistoryError) in
      let result = Result { () throws(HistoryError) in try events.append(chunk) }
      // Records that were complete before the error are valid.
      for found in records.takeEntries() { try entry(found) }
      try result.get()
    }
    try events.finish()
    return records.facts
  }
}

private final class HealthRecords: XMLElements {
  private struct Record {
    let source: String
    let device: String?
    let time: Instant
    var glucose: ShownGlucose
    var ring = SampleRing.history
    var isFingerStick = false
  }

  static let signature = "the root element HealthData"

  private var passedOver: [String: Int] = [:]
  private var refused = RefusedRecords()
  private let options: ImportOptions
  private var entries: [HistoryEntry] = []
  private var record: Record?
  private var hasRoot = false

  init(_ options: ImportOptions) { self.options = options }

  var facts: HistoryFacts {
    var facts = HistoryFacts()
    (facts.passedOver, facts.refused) = (passedOver, refused)
    return facts
  }

  func takeEntries() -> [HistoryEntry] {
    defer { entries = [] }
    return entries
  }

  func begin(_ name: String, _ attributes: XMLAttributes, line: Int) throws(HistoryError) {
    guard hasRoot else {
      guard name == "HealthData" else { throw .notThisFormat(lacks: Self.signature) }
      return hasRoot = true
    }
    if name == "Record", attributes["type"] == "HKQuantityTypeIdentifierBloodGlucose" {
      record = nil
      try refused.collect { () throws(HistoryError) in
        record = try Self.record(attributes, options, line: line)
        if record == nil { passedOver[PassedOver.absent, default: 0] += 1 }
      }
    } else if name == "MetadataEntry", record != nil {
      switch (attributes["key"], attributes["value"]) {
      case ("HKWasUserEntered", "1"), ("libre.ring", "finger_stick"): record?.isFingerStick = true
      case ("libre.ring", "trend"): record?.ring = .trend
      case ("HKMetadataKeyQuantityClampedToLowerBound", "1"): record?.glucose.bound = .low
      case ("HKMetadataKeyQuantityClampedToUpperBound", "1"): record?.glucose.bound = .high
      default: break
      }
    }
  }

  func end(_ name: String) throws(HistoryError) {
    guard name == "Record", let record else { return }
    self.record = nil
    let glucose = record.glucose
    guard record.isFingerStick else {
      return entries.append(
        .imported(
          ImportedSample(
            source: record.source, device: record.device, ring: record.ring, time: record.time,
            concentration: glucose.concentration, bound: glucose.bound)))
    }
    guard glucose.bound == nil else { return passedOver[PassedOver.fingerSticksOutOfRange, default: 0] += 1 }
    entries.append(
      .fingerStick(FingerStick(time: record.time, concentration: glucose.concentration, source: record.source)))
  }

  /// Returns a record; nil for one without a value.
  private static func record(
    _ attributes: XMLAttributes, _ options: ImportOptions, line: Int
  ) throws(HistoryError) -> Record? {
    func bad(_ name: String) -> HistoryError {
      .badField(line: line, name: name, value: attributes[name].map(SafeText.quoted) ?? "missing")
    }
    guard let (unit, milligrams) = attributes["unit"].flatMap(Self.unit) else { throw bad("unit") }
    guard
      let glucose = try ShownGlucose.read(
        attributes["value"] ?? "", options.unit(unit),
        milligrams: unit == .millimolesPerLitre ? milligrams : ShownGlucose.preciseMilligrams, line: line, name: "value"
      )
    else { return nil }
    guard let time = attributes["startDate"].flatMap(Self.instant) else { throw bad("startDate") }
    guard let source = attributes["sourceName"], !source.isEmpty else { throw bad("sourceName") }
    return Record(
      source: source, device: attributes["device"].flatMap(Self.deviceName), time: time, glucose: glucose)
  }

  /// Reads `mg/dL`, or `mmol<180.1558800000541>/L` with the milligrams of one mmol, which are ten times those in a
  /// decilitre.
  private static func unit(_ text: String) -> (GlucoseUnit, milligrams: Double)? {
    if text == GlucoseUnit.milligramsPerDecilitre.rawValue { return (.milligramsPerDecilitre, 1) }
    guard text.hasPrefix("mmol<"), text.hasSuffix(">/L"),
      let mass = WrittenNumber.value(of: text.dropFirst(5).dropLast(3)), (180.0...181.0).contains(mass)
    else { return nil }
    return (.millimolesPerLitre, mass / 10)
  }

  /// Reads `2024-05-02 12:15:00 +0200`.
  private static func instant(_ text: String) -> Instant? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2].utf8.count == 5 else { return nil }
    return Instant(rfc3339: "\(parts[0])T\(parts[1])\(parts[2].prefix(3)):\(parts[2].suffix(2))")
  }

  /// Returns the text between `name:` and the next part in `<<HKDevice: 0x283f1>, name:FreeStyle Libre,
  /// manufacturer:Abbott>`.
  private static func deviceName(_ text: String) -> String? {
    guard let part = text.split(separator: ", ").first(where: { $0.hasPrefix("name:") }) else { return nil }
    let name = part.dropFirst("name:".count)
    return String(name.hasSuffix(">") ? name.dropLast() : name)
  }
}
