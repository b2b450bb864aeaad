// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Meters

/// A packet that somebody published, and what it means.
struct PressurePacket: Sendable, CustomTestStringConvertible {
  let hex: String
  /// Systolic, diastolic and mean as sent; "–" for NaN.
  let pressures: String
  var date: String?
  var pulse: String?
  var user: UInt8?
  var status: UInt16?
  var isKilopascals = false
  var isBeurerLayout = false
  let source: String

  var bytes: [UInt8] { MetersTests.bytes(hex) }
  var testDescription: String { "\(hex) (\(source))" }

  static let published: [PressurePacket] = [
    PressurePacket(
      hex: "1E 5F 00 41 00 4B 00 E1 07 07 0C 08 0A 19 40 00 00 04 00", pressures: "95/65/75",
      date: "2017-07-12T08:10:25", pulse: "64", user: 0, status: 4, source: "the example of a public Python program"),
    PressurePacket(
      hex: "1E 37 00 FF 07 FF 07 E1 07 07 0C 08 0A 19 FF 07 00 10 00", pressures: "55/–/–", date: "2017-07-12T08:10:25",
      pulse: "–", user: 0, status: 0x0010, source: "the same, an intermediate cuff pressure"),
    PressurePacket(
      hex: "DE F6 F4 16 F3 FF 07 E4 07 01 14 08 2B 00 B2 F2 01 80 00", pressures: "127.0/79.0/–",
      date: "2020-01-20T08:43:00", pulse: "69.0", user: 1, status: 0x0080, source: "example-a.com/answer/78168365"),
    PressurePacket(
      hex: "15 BD F0 0B 00 9F F0 3C 00 12 00", pressures: "18.9/11/15.9", pulse: "60", status: 0x0012,
      isKilopascals: true, source: "NordicSemiconductor/Android-BLE-Common-Library"),
    PressurePacket(
      hex: "00 BD F0 0B 00 9F F0", pressures: "18.9/11/15.9",
      source: "NordicSemiconductor/Android-BLE-Common-Library, the shortest"),
    PressurePacket(
      hex: "1F 79 00 51 00 6A 00 E9 07 05 15 0A 1E 2D 48 00 01 06 00", pressures: "121/81/106",
      date: "2025-05-21T10:30:45", pulse: "72", user: 1, status: 6, isKilopascals: true,
      source: "NordicSemiconductor/IOS-nRF-Toolbox"),
    PressurePacket(
      hex: "56 71 00 49 00 00 00 EA 07 08 0B 14 38 00 00 41 01 00 00", pressures: "113/73/0",
      date: "2026-08-11T20:56:00", pulse: "65", user: 1, status: 0, isBeurerLayout: true,
      source: "a public script for the Beurer BM85"),
    PressurePacket(
      hex: "56 76 00 50 00 00 00 EA 07 08 0B 14 1B 00 00 3C 00 00 04", pressures: "118/80/0",
      date: "2026-08-11T20:27:00", pulse: "60", user: 0, status: 4, isBeurerLayout: true,
      source: "a public script for the Beurer BM85"),
    PressurePacket(
      hex: "1E 75 00 4D 00 00 00 DF 07 01 0E 0A 37 00 48 00 01 00 00", pressures: "117/77/0",
      date: "2015-01-14T10:55:00", pulse: "72", user: 1, status: 0, source: "the maker's example for the Beurer BM54"),
    PressurePacket(
      hex: "16 80 00 52 00 4A 00 E8 07 01 0F 09 0C 21 57 00 00 00", pressures: "128/82/74", date: "2024-01-15T09:12:33",
      pulse: "87", status: 0, source: "ipanalytics/Beurer-BM59-Unlocked-Reverse-Engineering"),
  ]
}

@Suite("Blood pressure measurements")
struct BloodPressurePacketTests {
  private func text(_ value: ShortFloat) -> String { value.number?.description ?? "–" }

  @Test("are decoded field by field as their sources show", arguments: PressurePacket.published)
  func fields(packet: PressurePacket) throws {
    let record = try BloodPressureRecord(packet.bytes)
    let sent = record.measurement
    #expect([sent.systolic, sent.diastolic, sent.mean].map(text).joined(separator: "/") == packet.pressures)
    #expect(MetersTests.text(record.wallTime) == packet.date)
    #expect(sent.pulse.map(text) == packet.pulse && sent.user == packet.user)
    #expect(sent.status?.rawValue == packet.status && sent.isBeurerLayout == packet.isBeurerLayout)
    #expect(sent.unit == (packet.isKilopascals ? .kilopascals : .millimetresOfMercury))
    #expect(record.packet == packet.bytes)
  }

  @Test("give an error or a value for every beginning of a packet", arguments: PressurePacket.published)
  func prefixes(packet: PressurePacket) {
    // Without its last byte, Beurer's layout is one of the specification.
    let shortest = packet.bytes.count - (packet.isBeurerLayout ? 1 : 0)
    for count in 0..<shortest {
      #expect(throws: PacketError.self) { try BloodPressureMeasurement(Array(packet.bytes.prefix(count))) }
    }
    #expect((try? BloodPressureMeasurement(Array(packet.bytes.prefix(shortest)))) != nil)
  }

  @Test("take user 255, a date without a year and the reserved pulse range as unknown")
  func unknowns() throws {
    let packet = try BloodPressureMeasurement(bytes("18 78 00 50 00 5A 00 FF 18 00"))
    #expect(packet.user == nil && packet.status?.names == [])
    let record = try BloodPressureRecord(bytes("1E 8A 00 58 00 78 00 00 00 04 11 14 29 3B 3C 00 01 27 00"))
    #expect(record.measurement.date == MeterDate(year: 0, month: 4, day: 17, hour: 20, minute: 41, second: 59))
    #expect(record.wallTime == nil)
    #expect(record.measurement.status?.names == ["body_moved", "cuff_loose", "irregular_pulse", "wrong_position"])
    // A packet with one surplus byte and a possible pulse stays one of the specification.
    let sent = try BloodPressureMeasurement(bytes("16 7C 00 56 00 61 00 E8 07 06 0F 11 11 1B 33 00 00 00 00"))
    #expect(!sent.isBeurerLayout && sent.pulse?.number?.value == 51)
  }

  @Test("have names of letters and lines only, also for reserved bits")
  func names() {
    let names = GlucoseStatus(rawValue: 0xFFFF).names + BloodPressureStatus(rawValue: 0xFFF7).names
    #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z_]+/) != nil } && names.count == 17)
    #expect(BloodPressureStatus(rawValue: 0x0010).names == ["pulse_below_range"])
    #expect(BloodPressureStatus(rawValue: 0x0008).names == ["pulse_above_range"])
    #expect(BloodPressureStatus(rawValue: 0x0004).words == ["irregular pulse"])
  }
}
