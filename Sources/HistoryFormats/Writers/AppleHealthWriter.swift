// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The `export.xml` of Apple's Health app, for programs that read such exports; Health itself cannot import them
/// (HistoryFormats/Formats, "apple-health").
///
/// It contains the declarations of its elements, so that any validating parser can check it. The sync identifier and
/// version, which is the moment of the export, allow a program that saves the records with HealthKit to replace a value
/// by that of a later export.
struct AppleHealthWriter: HistoryWriter {
  let name = "apple-health"
  let summary = "Apple Health's export.xml, for programs that read such exports"

  func document(_ context: ExportContext) -> any HistoryDocument {
    let head = """
      <?xml version="1.0" encoding="UTF-8"?>
      \(Self.declarations)
      <HealthData locale="en_US">
       <ExportDate value="\(Self.date(context.now, context))"/>
       <Me \(Self.person)/>

      """
    return RecordDocument(head: head, tail: "</HealthData>\n", holdsNotes: false) { entry throws(Omission) in
      if case .bloodPressure(let pressure) = entry { return Array(AppleHealthRecord.text(pressure, context).utf8) }
      return Array(AppleHealthRecord.text(try GlucoseValue(entry), context).utf8)
    }
  }

  /// The person. Its five attributes are required, but their values are not known.
  private static let person = [
    "DateOfBirth": "", "BiologicalSex": "HKBiologicalSexNotSet", "BloodType": "HKBloodTypeNotSet",
    "FitzpatrickSkinType": "HKFitzpatrickSkinTypeNotSet", "CardioFitnessMedicationsUse": "None",
  ].sorted { $0.key < $1.key }.map { "HKCharacteristicTypeIdentifier\($0.key)=\"\($0.value)\"" }
    .joined(separator: " ")

  private static let declarations = """
    <!DOCTYPE HealthData [
    <!-- HealthKit Export Version: 14 -->
    <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation)*)>
    <!ATTLIST HealthData locale CDATA #REQUIRED>
    <!ELEMENT ExportDate EMPTY>
    <!ATTLIST ExportDate value CDATA #REQUIRED>
    <!ELEMENT Me EMPTY>
    <!ATTLIST Me
      HKCharacteristicTypeIdentifierBiologicalSex CDATA #REQUIRED
      HKCharacteristicTypeIdentifierBloodType CDATA #REQUIRED
      HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse CDATA #REQUIRED
      HKCharacteristicTypeIdentifierDateOfBirth CDATA #REQUIRED
      HKCharacteristicTypeIdentifierFitzpatrickSkinType CDATA #REQUIRED>
    <!ELEMENT Record (MetadataEntry*)>
    <!ATTLIST Record
      type CDATA #REQUIRED
      sourceName CDATA #REQUIRED
      sourceVersion CDATA #IMPLIED
      device CDATA #IMPLIED
      unit CDATA #IMPLIED
      creationDate CDATA #IMPLIED
      startDate CDATA #REQUIRED
      endDate CDATA #REQUIRED
      value CDATA #IMPLIED>
    <!ELEMENT Correlation ((MetadataEntry|Record)*)>
    <!ATTLIST Correlation
      type CDATA #REQUIRED
      sourceName CDATA #REQUIRED
      sourceVersion CDATA #IMPLIED
      device CDATA #IMPLIED
      creationDate CDATA #IMPLIED
      startDate CDATA #REQUIRED
      endDate CDATA #REQUIRED>
    <!ELEMENT MetadataEntry EMPTY>
    <!ATTLIST MetadataEntry key CDATA #REQUIRED value CDATA #REQUIRED>
    ]>
    """

  /// Returns `2024-05-02 12:15:00 +0200`.
  static func date(_ instant: Instant, _ context: ExportContext) -> String {
    let local = LocalMoment(instant, context)
    return "\(local.date) \(local.time) \(local.offset.split(separator: ":").joined())"
  }
}

/// One value as a `Record`.
enum AppleHealthRecord {
  /// HealthKit's molar mass of glucose, in g/mol (read: in the name of its unit).
  private static let molarMass = 180.1558800000541

  static func text(_ value: GlucoseValue, _ context: ExportContext) -> String {
    let (unit, number) = glucose(value.concentration, context.unit)
    return record(
      "BloodGlucose", number, unit, source(value.entry, context), dates(value.time, context), metadata(value, context))
  }

  /// Returns a Correlation of the two pressures, as Health exports them (read: the declarations of public exports), and
  /// a Record of the pulse.
  static func text(_ pressure: BloodPressure, _ context: ExportContext) -> String {
    let (source, dates) = (source(named: pressure.source, context), dates(pressure.time, context))
    func record(_ type: String, _ value: Double, _ unit: String) -> String {
      Self.record(type, DecimalText.shortest(value, places: 4), unit, source, dates)
    }
    let correlation = [("type", "HKCorrelationTypeIdentifierBloodPressure")] + source + dates
    return " <Correlation\(list(correlation))>\n\(identity(pressure.id, context).map(element).joined())"
      + record("BloodPressureSystolic", pressure.systolicMillimetresOfMercury, "mmHg")
      + record("BloodPressureDiastolic", pressure.diastolicMillimetresOfMercury, "mmHg") + " </Correlation>\n"
      + (pressure.pulse.map { record("HeartRate", $0, "count/min") } ?? "")
  }

  private static func record(
    _ type: String, _ value: String, _ unit: String, _ source: [(String, String)], _ dates: [(String, String)],
    _ metadata: [(String, String)] = []
  ) -> String {
    let attributes =
      [("type", "HKQuantityTypeIdentifier\(type)")] + source + [("unit", unit)] + dates + [("value", value)]
    return " <Record\(list(attributes))>\n\(metadata.map(element).joined()) </Record>\n"
  }

  private static func dates(_ time: Instant, _ context: ExportContext) -> [(String, String)] {
    let date = AppleHealthWriter.date(time, context)
    return [("creationDate", AppleHealthWriter.date(context.now, context)), ("startDate", date), ("endDate", date)]
  }

  private static func list(_ attributes: [(String, String)]) -> String {
    attributes.map { " \($0.0)=\"\(escaped($0.1))\"" }.joined()
  }

  private static func element(_ key: String, _ value: String) -> String {
    "  <MetadataEntry key=\"\(key)\" value=\"\(escaped(value))\"/>\n"
  }

  /// The source, libre itself if it is unknown.
  private static func source(named name: String?, _ context: ExportContext) -> [(String, String)] {
    name.map { [("sourceName", $0)] } ?? [("sourceName", context.program), ("sourceVersion", context.version)]
  }

  private static func glucose(_ value: GlucoseConcentration, _ unit: GlucoseUnit) -> (unit: String, number: String) {
    switch unit {
    case .milligramsPerDecilitre: ("mg/dL", DecimalText.shortest(value.milligramsPerDecilitre, places: 4))
    case .millimolesPerLitre:
      ("mmol<\(molarMass)>/L", DecimalText.shortest(value.milligramsPerDecilitre * 10 / molarMass, places: 4))
    }
  }

  private static func source(_ entry: HistoryEntry, _ context: ExportContext) -> [(String, String)] {
    switch entry {
    case .sensor(let stored):
      let name = stored.sensor.productName
      let maker = stored.sensor.family.manufacturer.map { ", manufacturer:\($0)" } ?? ""
      return source(named: nil, context) + [("device", "<<HKDevice: 0x0>, name:\(name)\(maker), model:\(name)>")]
    case .imported, .fingerStick, .bloodPressure: return source(named: entry.foreignSource, context)
    }
  }

  /// Returns the identity, so that a program can replace an earlier export of the same entry, and the time zone.
  private static func identity(_ id: SampleID?, _ context: ExportContext) -> [(String, String)] {
    var entries: [(String, String)] = []
    if let id {
      // A value, its time and its calibration may all change: the latest export is valid.
      entries += [
        ("HKMetadataKeySyncIdentifier", id.description),
        ("HKMetadataKeySyncVersion", String(context.now.secondsSince1970)),
        ("HKExternalUUID", id.description),
      ]
    }
    if let zone = context.clock.zoneName { entries.append(("HKTimeZone", zone)) }
    return entries
  }

  private static func metadata(_ value: GlucoseValue, _ context: ExportContext) -> [(String, String)] {
    var entries = identity(value.id, context)
    switch value.entry {
    case .sensor(let stored):
      entries.append(("HKWasUserEntered", "0"))
      if let serial = stored.sensor.serial { entries.append(("HKDeviceSerialNumber", serial)) }
      entries.append(("libre.ring", stored.sample.ring.rawValue))
    case .imported(let imported):
      switch imported.bound {
      case .low: entries.append(("HKMetadataKeyQuantityClampedToLowerBound", "1"))
      case .high: entries.append(("HKMetadataKeyQuantityClampedToUpperBound", "1"))
      case nil: break
      }
      entries.append(("libre.ring", imported.ring.rawValue))
    case .fingerStick(let stick):
      // It is not known whether another program's value was typed by the user.
      if stick.source == nil { entries.append(("HKWasUserEntered", "1")) }
      entries.append(("libre.ring", SampleJSON.fingerStickRing))
    case .bloodPressure: break
    }
    return entries
  }

  /// Returns the text for use between double quotes in XML 1.0; a character that XML cannot contain becomes U+FFFD.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      // A parser would turn them into spaces.
      case "\t", "\n", "\r": result += "&#\(scalar.value);"
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
