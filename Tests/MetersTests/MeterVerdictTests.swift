// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Meters

@Suite("The verdict on a finger-stick")
struct FingerStickVerdictTests {
  private func verdict(
    _ hex: String, contexts: [String] = [], now: CivilTime = .late
  ) throws -> FingerStickVerdict {
    let record = try #require(records([bytes(hex)], contexts: contexts.map { bytes($0) }).first)
    return FingerStickVerdict(record, now: now)
  }

  private func glucose(_ mantissa: Int, _ exponent: Int) -> MeterGlucose {
    MeterGlucose(number: DecimalNumber(mantissa: mantissa, exponent: exponent), unit: .kilogramsPerLitre)
  }

  @Test("takes blood in mg/dL exactly and in mmol/L, converted once, with the time that the display showed")
  func usable() throws {
    let weighed = try #require(CivilTime(year: 2018, month: 9, day: 19, hour: 22, minute: 27, second: 7))
    let packet = "13 1E 00 E2 07 09 14 05 1B 07 5C FE 6F B0 F1"
    #expect(
      try verdict(packet, contexts: ["02 1E 00 02"])
        == .usable(weighed, GlucoseConcentration(milligramsPerDecilitre: 111)))
    let counted = try #require(CivilTime(year: 2019, month: 8, day: 21, hour: 9, minute: 31, second: 13))
    #expect(
      try verdict("07 01 00 E3 07 08 15 06 1F 0D B4 00 3B C0 F1")
        == .usable(counted, GlucoseConcentration(millimolesPerLitre: 5.9)))
    // The time offset is left out for meters that are known for a wrong one.
    let record = try #require(records([bytes(packet)], quirks: [.wrongOffsets]).first)
    #expect(text(record.time.wallTime) == "2018-09-20T05:27:07")
  }

  @Test("has the reason for each record that is not one")
  func reasons() throws {
    let packet: (String) -> String = { "0A 67 00 EA 07 01 0D 07 1E 03 \($0)" }
    for (end, reason) in [
      ("FE 07 F1 20 00", .aboveRange), ("FE 07 F1 00 00", .aboveRange), ("58 B2 F1 20 00", .aboveRange),
      ("02 08 F1 00 00", .belowRange), ("14 B0 F1 40 00", .belowRange), ("FF 07 F1 00 00", .noValue),
      ("00 08 F1 00 00", .noValue), ("01 08 F1 00 00", .noValue), ("78 B0 4A 00 00", .controlSolution),
      ("78 B0 19 00 00", .notBlood), ("5A B0 11 00 08", .uncertainTime),
      ("0D B0 11 00 00", .probablyKetone(glucose(13, -5))),
      ("FF FF 11 00 00", .implausible(glucose(-1, -1))), ("E9 B3 11 00 00", .implausible(glucose(1_001, -5))),
      ("09 B0 11 00 00", .implausible(glucose(9, -5))), ("5A B0 11 02 00", .fault(.sensorMalfunction)),
    ] as [(String, FingerStickVerdict.Reason)] {
      #expect(try verdict(packet(end)) == .unusable(reason), "\(end)")
    }
    // A record may hold a ketone or control value, which is not a finger-stick.
    let ketone = "13 04 00 EA 07 01 0C 07 1E 02 00 00 0D B0 11"
    for (packet, contexts, reason) in [
      ("00 01 00 E9 07 05 15 0A 1E 2D", [], .noValue), ("02 66 00 EA 07 01 0C 07 1E 02 78 B0 1A", [], .controlSolution),
      ("02 66 00 EA 07 01 0C 07 1E 02 78 B0 41", [], .controlSolution),
      (ketone, ["02 04 00 06"], .ketone),
    ] as [(String, [String], FingerStickVerdict.Reason)] {
      #expect(try verdict(packet, contexts: contexts) == .unusable(reason), "\(packet)")
    }
    let record = try #require(records([bytes(ketone)], contexts: [bytes("02 04 00 06")]).first)
    #expect(record.ketoneMillimolesPerLitre?.description == "1.3")
  }

  @Test("refuses the values under each condition that spoils them, and accepts a low battery")
  func conditions() throws {
    for bit in 0..<16 {
      let status = UInt16(1) << UInt16(bit)
      let packet = "0A 67 00 EA 07 01 0D 07 1E 03 5A B0 11 " + HexText.string(of: status.byteSwapped)
      let isUsable = if case .usable = try verdict(packet) { true } else { false }
      #expect(isUsable == (bit == 0 || bit > 11), "bit \(bit)")
    }
  }

  @Test("accepts 20 and 1000 mg/dL, and a time up to a day ahead")
  func borders() throws {
    let time = try #require(CivilTime(year: 2026, month: 1, day: 13, hour: 7, minute: 30, second: 3))
    let packet = "02 67 00 EA 07 01 0D 07 1E 03"
    for (end, value) in [("14 B0 11", 20.0), ("E8 B3 11", 1_000)] {
      #expect(
        try verdict("\(packet) \(end)") == .usable(time, GlucoseConcentration(milligramsPerDecilitre: value)), "\(end)")
    }
    let dayBefore = time.instant(offsetSeconds: 0).adding(days: -1)
    let before = CivilTime(Instant(secondsSince1970: dayBefore.secondsSince1970 - 1))
    #expect(
      try verdict(packet + " 5A B0 11", now: CivilTime(dayBefore))
        == .usable(time, GlucoseConcentration(milligramsPerDecilitre: 90)))
    #expect(try verdict(packet + " 5A B0 11", now: before) == .unusable(.inFuture(time)))
  }

  @Test("has a code of its own and a sentence for each reason")
  func words() throws {
    let time = try #require(CivilTime(year: 2027, month: 1, day: 13, hour: 7))
    let reasons: [FingerStickVerdict.Reason] = [
      .noValue, .aboveRange, .belowRange, .controlSolution, .controlOrError, .ketone, .glucoseOrKetone,
      .probablyKetone(glucose(13, -5)), .notBlood, .fault([.tooHot, .wrongStrip]), .uncertainTime,
      .implausible(glucose(-1, -1)), .inFuture(time),
    ]
    #expect(Set(reasons.map(\.code)).count == reasons.count)
    #expect(Set(reasons.map(\.message)).count == reasons.count)
    #expect(reasons[7].message == "13 mg/dL is more likely a ketone test than glucose")
    #expect(reasons[9].message == "the meter reports: wrong type of strip, too hot")
    #expect(reasons[11].message == "implausible value -10000 mg/dL")
    #expect(reasons[12].message == "the time 2027-01-13T07:00:00 is in the future; check the meter's clock")
  }
}

@Suite("The verdict on blood pressure")
struct BloodPressureVerdictTests {
  private func verdict(_ hex: String, now: CivilTime = .late) throws -> BloodPressureVerdict {
    BloodPressureVerdict(try BloodPressureRecord(bytes(hex)), now: now)
  }

  @Test("takes pressures in mmHg or kilopascals and the pulse, without a mean or pulse that cannot be")
  func usable() throws {
    for (packet, pressures) in [
      (
        "1E 5F 00 41 00 4B 00 E1 07 07 0C 08 0A 19 40 00 00 04 00",
        .init(systolic: 95, diastolic: 65, mean: 75, pulse: 64)
      ),
      (
        "15 BD F0 0B 00 9F F0 3C 00 12 00",
        .init(systolic: 18.9 * 7.50062, diastolic: 11 * 7.50062, mean: 15.9 * 7.50062, pulse: 60)
      ),
      (
        "16 80 00 52 00 4A 00 E8 07 01 0F 09 0C 21 57 00 00 00",
        .init(systolic: 128, diastolic: 82, mean: nil, pulse: 87)
      ),
      ("04 78 00 50 00 00 00 00 00", .init(systolic: 120, diastolic: 80, mean: nil, pulse: nil)),
    ] as [(String, BloodPressureVerdict.Values)] {
      #expect(try verdict(packet) == .usable(pressures), "\(packet)")
    }
  }

  @Test("has the reason for each measurement that is not usable")
  func reasons() throws {
    let number: (Int, Int) -> DecimalNumber = { DecimalNumber(mantissa: $0, exponent: $1) }
    let odd = BloodPressureVerdict.Reason.implausible(
      systolic: number(189, -1), diastolic: number(11, 0), .millimetresOfMercury)
    #expect(odd.message == "implausible pressures 18.9/11 mmHg")
    for (packet, reason) in [
      ("1E 37 00 FF 07 FF 07 E1 07 07 0C 08 0A 19 FF 07 00 10 00", .noValue), ("00 BD F0 0B 00 9F F0", odd),
      (
        "1F 79 00 51 00 6A 00 E9 07 05 15 0A 1E 2D 48 00 01 06 00",
        .implausible(systolic: number(121, 0), diastolic: number(81, 0), .kilopascals)
      ),
      (
        "00 50 00 50 00 50 00",
        .implausible(systolic: number(80, 0), diastolic: number(80, 0), .millimetresOfMercury)
      ),
    ] as [(String, BloodPressureVerdict.Reason)] {
      #expect(try verdict(packet) == .unusable(reason), "\(packet)")
    }
    let now = try #require(CivilTime(year: 2017, month: 7, day: 10))
    let future = try verdict("1E 5F 00 41 00 4B 00 E1 07 07 0C 08 0A 19 40 00 00 04 00", now: now)
    guard case .unusable(let reason) = future else { return #expect(Bool(false), "usable") }
    #expect(reason.code == "in_future")
    #expect(reason.message == "the time 2017-07-12T08:10:25 is in the future; check the cuff's clock")
  }
}
