// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Meters

/// Each test holds one error that a public program made with these packets.
@Suite("Errors that other programs made")
struct ErrorsOfOthersTests {
  @Test("the time offset is signed: -420 minutes are not 65116")
  func signedOffset() throws {
    let record = try #require(records([bytes("13 1E 00 E2 07 09 14 05 1B 07 5C FE 6F B0 F1")]).first)
    #expect(record.time.offsetMinutes == -420)
    #expect(text(record.time.wallTime) == "2018-09-19T22:27:07")
  }

  @Test("the time offset is carried on to the records after it that do not state one, and is 0 before the first")
  func carriedOffset() {
    let all = records([
      bytes("02 01 00 EA 07 01 0C 07 1E 02 78 B0 11"), bytes("03 02 00 EA 07 01 0D 07 1E 02 3C 00 78 B0 11"),
      bytes("02 03 00 EA 07 01 0E 07 1E 02 78 B0 11"), bytes("03 04 00 EA 07 01 0F 07 1E 02 88 FF 78 B0 11"),
      bytes("02 05 00 EA 07 01 10 07 1E 02 78 B0 11"),
    ])
    #expect(all.map(\.time.offsetMinutes) == [0, 60, 60, -120, -120])
    #expect(text(all[2].time.wallTime) == "2026-01-14T08:30:02")
  }

  @Test("special values are whole words: with an exponent, the same mantissa is a number")
  func wholeWords() throws {
    let number = try GlucoseMeasurement(bytes("06 06 00 E3 07 04 1A 0A 27 39 FF C7 11"))
    #expect(number.result?.glucose?.description == "204.7 mmol/L")
    let special = try GlucoseMeasurement(bytes("06 06 00 E3 07 04 1A 0A 27 39 FF 07 11"))
    #expect(special.result?.glucose == nil)
  }

  @Test("the exponent is in two's complement, not biased by 8: 8078 is 120·10⁻⁸")
  func exponent() {
    #expect(ShortFloat(word: 0x8078).number == DecimalNumber(mantissa: 120, exponent: -8))
    #expect(ShortFloat(word: 0x7078).number == DecimalNumber(mantissa: 120, exponent: 7))
  }

  @Test("the sample type is the low nibble and the location the high one")
  func nibbles() throws {
    let result = try #require(
      try GlucoseMeasurement(bytes("1B 01 00 E3 07 02 1B 0B 0A 1E FB FF 1E 00 12 05 01")).result)
    #expect(result.type == .capillaryPlasma)
    #expect(result.location == .finger)
  }

  @Test("the status is little-endian: 00 02 is a strip that was pulled, not a sensor fault")
  func status() throws {
    let packet = bytes("0B 22 00 E0 07 09 15 07 00 00 00 00 5A B0 11 00 02")
    #expect(try GlucoseMeasurement(packet).status == .stripPulledTooSoon)
    #expect(GlucoseStatus.stripPulledTooSoon.names == ["strip_pulled_too_soon"])
  }

  @Test("a record may have no concentration, and is listed with that reason")
  func noConcentration() throws {
    let record = try #require(records([bytes("00 01 00 E9 07 05 15 0A 1E 2D")]).first)
    #expect(record.value == nil)
    #expect(FingerStickVerdict(record, now: .late) == .unusable(.noValue))
  }

  @Test("a record may hold a ketone or control value, which is not a finger-stick")
  func otherSubstances() throws {
    let byType = try #require(records([bytes("02 66 00 EA 07 01 0C 07 1E 02 78 B0 1A")]).first)
    let byLocation = try #require(records([bytes("02 66 00 EA 07 01 0C 07 1E 02 78 B0 41")]).first)
    let ketone = try #require(
      records([bytes("13 04 00 EA 07 01 0C 07 1E 02 00 00 0D B0 11")], contexts: [bytes("02 04 00 06")]).first)
    #expect(FingerStickVerdict(byType, now: .late) == .unusable(.controlSolution))
    #expect(FingerStickVerdict(byLocation, now: .late) == .unusable(.controlSolution))
    #expect(FingerStickVerdict(ketone, now: .late) == .unusable(.ketone))
    #expect(ketone.ketoneMillimolesPerLitre?.description == "1.3")
  }

  @Test("unknown trailing bytes and reserved flags are allowed")
  func trailingBytes() throws {
    let plain = try GlucoseMeasurement(bytes("02 66 00 EA 07 01 0C 07 1E 02 78 B0 11"))
    let longer = try GlucoseMeasurement(bytes("E2 66 00 EA 07 01 0C 07 1E 02 78 B0 11 01 02 03 04 05 06 07 08"))
    #expect(plain == longer)
  }
}

extension CivilTime {
  /// A present that is after every record of the tests.
  static let late = CivilTime(Instant(secondsSince1970: 1_900_000_000))
}
