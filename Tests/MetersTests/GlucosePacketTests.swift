// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Meters

/// A packet that somebody published, and what it means.
struct GlucosePacket: Sendable, CustomTestStringConvertible {
  let hex: String
  let number: UInt16
  let base: String
  var offset: Int?
  /// Base time plus offset; the base time if nil.
  var shown: String?
  /// The value as a person reads it; nil for a record without a number.
  var value: String?
  var special: ShortFloat.Special?
  var type: UInt8?
  var location: UInt8?
  var status: UInt16?
  var hasContext = false
  let source: String

  var bytes: [UInt8] { MetersTests.bytes(hex) }
  var testDescription: String { "\(hex) (\(source))" }

  static let published: [GlucosePacket] = [
    GlucosePacket(
      hex: "13 1E 00 E2 07 09 14 05 1B 07 5C FE 6F B0 F1", number: 30, base: "2018-09-20T05:27:07", offset: -420,
      shown: "2018-09-19T22:27:07", value: "111 mg/dL", type: 1, location: 15, hasContext: true,
      source: "LiamsGitHub/GlucometerBluetoothToHealthKit, Contour Next One"),
    GlucosePacket(
      hex: "0B 04 00 E4 07 05 0E 0C 31 1D 4E 01 68 B0 F8 00 00", number: 4, base: "2020-05-14T12:49:29", offset: 334,
      shown: "2020-05-14T18:23:29", value: "104 mg/dL", type: 8, location: 15, status: 0,
      source: "Stack Overflow, copied at it1352.com/2201520"),
    GlucosePacket(
      hex: "06 06 00 E3 07 04 1A 0A 27 39 78 C0 11", number: 6, base: "2019-04-26T10:39:57", value: "12.0 mmol/L",
      type: 1, location: 1, source: "the example of a public Python program"),
    GlucosePacket(
      hex: "07 01 00 E3 07 08 15 06 1F 0D B4 00 3B C0 F1", number: 1, base: "2019-08-21T06:31:13", offset: 180,
      shown: "2019-08-21T09:31:13", value: "5.9 mmol/L", type: 1, location: 15,
      source: "nordicsemi/Android-BLE-Library issue 130"),
    GlucosePacket(
      hex: "03 01 00 E4 07 03 0E 17 17 00 00 00 FF FF 11", number: 1, base: "2020-03-14T23:23:00", offset: 0,
      value: "-10000 mg/dL", type: 1, location: 1, source: "Stack Overflow, copied at pullrequest.ru/14028530"),
    GlucosePacket(
      hex: "03 03 00 E0 07 09 15 07 00 00 00 80 5A B0 11", number: 3, base: "2016-09-21T07:00:00", offset: -32_768,
      shown: "2016-08-29T12:52:00", value: "90 mg/dL", type: 1, location: 1, source: "uhnmdi/CCGlucose"),
    GlucosePacket(
      hex: "0B 22 00 E0 07 09 15 07 00 00 00 00 5A B0 11 00 02", number: 34, base: "2016-09-21T07:00:00", offset: 0,
      value: "90 mg/dL", type: 1, location: 1, status: 0x0200, source: "uhnmdi/CCGlucose"),
    GlucosePacket(
      hex: "1B 01 00 E3 07 02 1B 0B 0A 1E FB FF 1E 00 12 05 01", number: 1, base: "2019-02-27T11:10:30", offset: -5,
      shown: "2019-02-27T11:05:30", value: "3000000 mg/dL", type: 2, location: 1, status: 0x0105, hasContext: true,
      source: "NordicSemiconductor/Android-BLE-Common-Library"),
    GlucosePacket(
      hex: "00 01 00 E9 07 05 15 0A 1E 2D", number: 1, base: "2025-05-21T10:30:45",
      source: "NordicSemiconductor/IOS-nRF-Toolbox"),
    GlucosePacket(
      hex: "1F 02 00 E9 07 05 15 0A 1E 2D 00 00 78 00 41 01 00", number: 2, base: "2025-05-21T10:30:45", offset: 0,
      value: "120000 mmol/L", type: 1, location: 4, status: 1, hasContext: true,
      source: "NordicSemiconductor/IOS-nRF-Toolbox"),
    GlucosePacket(
      hex: "0A 67 00 EA 07 01 0D 07 1E 03 FE 07 F1 20 00", number: 103, base: "2026-01-13T07:30:03",
      special: .positiveInfinity, type: 1, location: 15, status: 0x0020, source: "made by hand"),
    GlucosePacket(
      hex: "02 68 00 EA 07 01 0E 07 1E 04 FF 07 F1", number: 104, base: "2026-01-14T07:30:04", special: .notANumber,
      type: 1, location: 15, source: "made by hand"),
    GlucosePacket(
      hex: "02 66 00 EA 07 01 0C 07 1E 02 78 B0 4A", number: 102, base: "2026-01-12T07:30:02", value: "120 mg/dL",
      type: 10, location: 4, source: "made by hand"),
  ]
}

/// A wall time as text without a zone.
func text(_ time: CivilTime?) -> String? { time.map { String($0.instant(offsetSeconds: 0).rfc3339.dropLast()) } }

/// The bytes of hex digits in a test.
func bytes(_ hex: String) -> [UInt8] { HexText.bytes(of: hex) ?? [] }

/// One packet after the other as one transfer.
func records(
  _ measurements: [[UInt8]], contexts: [[UInt8]] = [], features: GlucoseFeatures? = nil, quirks: Set<MeterQuirk> = []
) -> [GlucoseRecord] {
  var transfer = GlucoseTransfer(features: features, quirks: quirks)
  transfer.begin()
  for packet in measurements { transfer.keepMeasurement(packet) }
  for packet in contexts { transfer.keepContext(packet) }
  return transfer.records()
}

@Suite("Glucose measurements")
struct GlucosePacketTests {
  @Test("are decoded field by field as their sources show", arguments: GlucosePacket.published)
  func fields(packet: GlucosePacket) throws {
    let measurement = try GlucoseMeasurement(packet.bytes)
    #expect(measurement.sequenceNumber == packet.number && text(measurement.baseTime) == packet.base)
    #expect(measurement.timeOffsetMinutes == packet.offset && measurement.hasContext == packet.hasContext)
    let result = measurement.result
    #expect(result?.glucose?.description == packet.value && result?.concentration.special == packet.special)
    #expect(result?.typeCode == packet.type && result?.locationCode == packet.location)
    #expect(measurement.status?.rawValue == packet.status)
    let record = try #require(records([packet.bytes]).first)
    #expect(text(record.time.wallTime) == packet.shown ?? packet.base)
    #expect(record.packet == packet.bytes)
  }

  @Test("give an error for every beginning of a packet, with both lengths, and may have unknown trailing bytes")
  func prefixes() throws {
    for packet in GlucosePacket.published {
      for count in 0..<packet.bytes.count {
        #expect(throws: PacketError.self) { try GlucoseMeasurement(Array(packet.bytes.prefix(count))) }
      }
    }
    let error = PacketError.tooShort(expected: 17, got: 15)
    #expect(throws: error) { try GlucoseMeasurement(bytes("1B 01 00 E3 07 02 1B 0B 0A 1E 1E 00 12 05 01")) }
    #expect(error.message == "the packet is too short: expected at least 17 bytes, got 15")
    // Reserved flags are ignored, too.
    let plain = try GlucoseMeasurement(bytes("02 66 00 EA 07 01 0C 07 1E 02 78 B0 11"))
    #expect(try GlucoseMeasurement(bytes("E2 66 00 EA 07 01 0C 07 1E 02 78 B0 11 01 02 03 04 05 06 07 08")) == plain)
  }

  @Test("with an impossible date are refused")
  func impossibleDates() throws {
    for hex in [
      "00 01 00 E9 07 00 15 0A 1E 2D", "00 01 00 E9 07 0D 15 0A 1E 2D", "00 01 00 E9 07 05 00 0A 1E 2D",
      "00 01 00 E9 07 05 15 18 1E 2D", "00 01 00 00 00 05 15 0A 1E 2D", "00 01 00 E9 07 02 1E 0A 1E 2D",
    ] {
      var fields = PacketFields(Array(bytes(hex)[3...]))
      let date = try fields.date()
      #expect(throws: PacketError.invalidDate(date)) { try GlucoseMeasurement(bytes(hex)) }
    }
    // Month 13 is January for some meters.
    let packet = bytes("02 01 00 E8 07 0D 02 07 00 00 5A B0 11")
    #expect(text(try GlucoseMeasurement(packet, readsMonth13AsJanuary: true).baseTime) == "2024-01-02T07:00:00")
    #expect(throws: PacketError.self) { try GlucoseMeasurement(packet) }
    #expect(records([packet], quirks: [.month13]).count == 1)
  }

  @Test("carry their time offset on to the records after it that do not state one, and is 0 before the first")
  func carriedOffset() {
    let all = records([
      bytes("02 01 00 EA 07 01 0C 07 1E 02 78 B0 11"), bytes("03 02 00 EA 07 01 0D 07 1E 02 3C 00 78 B0 11"),
      bytes("02 03 00 EA 07 01 0E 07 1E 02 78 B0 11"), bytes("02 04 00 EA 07 01 0E 08 1E 02 78 B0 11"),
      bytes("03 05 00 EA 07 01 0F 07 1E 02 88 FF 78 B0 11"), bytes("02 06 00 EA 07 01 10 07 1E 02 78 B0 11"),
    ])
    #expect(all.map(\.time.offsetMinutes) == [0, 60, 60, 60, -120, -120])
    #expect(text(all[2].time.wallTime) == "2026-01-14T08:30:02")
  }

  @Test("ignore a condition that the meter cannot detect")
  func features() throws {
    let packet = bytes("0B 22 00 E0 07 09 15 07 00 00 00 00 5A B0 11 00 02")
    for (features, status) in [(nil, .stripPulledTooSoon), ("80 00", .stripPulledTooSoon), ("7F 07", [])]
      as [(String?, GlucoseStatus)]
    {
      let features = try features.map { try GlucoseFeatures(bytes($0)) }
      #expect(records([packet], features: features).first?.status == status)
    }
    #expect(try GlucoseFeatures(bytes("80 00")).detected.names == ["strip_pulled_too_soon"])
    #expect(try GlucoseFeatures(bytes("FF 03")).detected.rawValue == 0x0FFF)
    #expect(throws: PacketError.tooShort(expected: 2, got: 1)) { try GlucoseFeatures([0xFF]) }
  }
}

@Suite("Contexts of glucose measurements")
struct GlucoseContextTests {
  @Test("have their fields in the order of the specification; a reserved meal has no meaning, and 6 marks ketones")
  func allFields() throws {
    let packet = bytes("FF 07 00 00 02 0F 90 03 5F 10 0E 32 01 05 D0 40 F0")
    let context = try GlucoseMeasurementContext(packet)
    #expect(context.sequenceNumber == 7 && context.meal == .fasting)
    for count in 0..<packet.count {
      #expect(throws: PacketError.self) { try GlucoseMeasurementContext(Array(packet.prefix(count))) }
    }
    #expect(try GlucoseMeasurementContext(packet + [1]) == context)
    let reserved = try GlucoseMeasurementContext(bytes("02 01 00 07"))
    #expect(reserved.meal == nil && reserved.mealCode == 7)
    #expect(try GlucoseMeasurementContext(bytes("02 04 00 06")).marksKetone)
  }
}

@Suite("SFLOAT")
struct ShortFloatTests {
  /// Mantissa and exponent of a word by integers alone, written without the shifts of the code under test.
  private static func expected(_ word: Int) -> (mantissa: Int, exponent: Int) {
    let (mantissa, exponent) = (word % 4_096, word / 4_096)
    return (mantissa < 2_048 ? mantissa : mantissa - 4_096, exponent < 8 ? exponent : exponent - 16)
  }

  @Test("is right for all 65,536 words: five special ones, the others mantissa times ten to the exponent")
  func allWords() {
    var specials: [Int: ShortFloat.Special] = [:]
    var wrong: [Int] = []
    for word in 0...0xFFFF {
      let sent = ShortFloat(word: UInt16(word))
      let expected = Self.expected(word)
      if let special = sent.special {
        specials[word] = special
        if sent.number != nil { wrong.append(word) }
      } else if sent.number != DecimalNumber(mantissa: expected.mantissa, exponent: expected.exponent) {
        wrong.append(word)
      }
    }
    #expect(wrong.isEmpty)
    #expect(
      specials == [
        0x07FE: .positiveInfinity, 0x07FF: .notANumber, 0x0800: .notAtThisResolution, 0x0801: .reserved,
        0x0802: .negativeInfinity,
      ])
  }

  @Test("prints the digits that were sent")
  func text() {
    for (word, text) in [
      (0xB05A, "0.00090"), (0xF4F6, "127.0"), (0x007B, "123"), (0xFFFF, "-0.1"), (0x17FF, "20470"), (0x1000, "0"),
      (0x8078, "0.00000120"),
    ] as [(UInt16, String)] {
      #expect(ShortFloat(word: word).number?.description == text)
    }
  }

  @Test("becomes mg/dL and mmol/L by the exponent alone, without a rounding error")
  func exactUnits() throws {
    let weight = MeterGlucose(number: try #require(ShortFloat(word: 0xB06F).number), unit: .kilogramsPerLitre)
    #expect(weight.description == "111 mg/dL" && weight.concentration.milligramsPerDecilitre == 111)
    let moles = MeterGlucose(number: try #require(ShortFloat(word: 0xC03B).number), unit: .molesPerLitre)
    #expect(moles.description == "5.9 mmol/L" && moles.displayed.number.value == 5.9)
  }
}
