// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Meters

@Suite("The language of a Bubble")
struct BubbleTests {
  private static let start = "00 A0 05"
  private static let read = "02 A0 00 00 00 2B"

  /// A Bubble that answers the first request by its status, and the read requests in turn by these packets.
  private func play(
    status: [UInt8] = BridgeBytes.status(2, 0), for length: Duration = .seconds(200), _ answers: [[UInt8]]...
  ) -> BridgeScript {
    var reads = 0
    return BridgeScript(.bubble, for: length) { bytes, _ in
      guard bytes == Self.read else { return BridgeScript.burst([status]) }
      reads += 1
      return reads <= answers.count ? BridgeScript.burst(answers[reads - 1]) : []
    }
  }

  // MARK: Readings

  @Test("is the session of TRANSMITTERS 9.1 with the real memory", .enabled(if: ReferenceDumps.arePresent))
  func session() throws {
    let memory = try ReferenceDumps.bytes(of: "bubble-test.bin")
    let packets = BridgeBytes.bubble(memory)
    #expect(packets.count == 24)
    let known = [
      2: "94 21 90 1A 03 00 00 00 00 00 00 00 00 00 00 00", 3: "00 00 00 00 00 00 00 00 9E CE 04 0B AA 0B C8 F8",
      23: "00 92 1A C8 04 BE D8 66",
    ]
    for (number, text) in known { #expect(HexText.string(of: packets[number].dropFirst(4), separator: " ") == text) }
    let reading = try #require(play(packets).readings.first)
    #expect(reading.image.bytes == memory && reading.image.uid == SensorUID(bits: 0xE007_A000_60B8_C684))
    #expect(reading.image.patchInfo?.bytes == BridgeBytes.patchInfo)
  }

  @Test("has its firmware, battery and hardware in its status, the latter counted from the end")
  func status() throws {
    for middle in [[0xEE, 0xEE], [0xEE, 0xEE, 0xEE, 0xEE, 0xEE] as [UInt8]] {
      let script = play(status: [0x80, 0x00, 2, 10, 92] + middle + [3, 1], BridgeBytes.bubble())
      let reading = try #require(script.readings.first)
      #expect(reading.batteryPercent == 92 && reading.firmware == "2.10" && reading.hardware == "3.1")
      #expect(script.writes == [Self.start, Self.read])
    }
    #expect(play(status: [0x80, 0x00, 2, 0, 200], BridgeBytes.bubble()).readings.map(\.batteryPercent) == [nil])
  }

  @Test("has the patch info where its firmware puts it, and only if it is whole")
  func patchInfo() {
    let early = [0xC1, 0xEE, 0xEE] + BridgeBytes.patchInfo
    let late = [0xC1, 0xEE, 0xEE, 0xEE, 0xEE] + BridgeBytes.patchInfo
    func info(_ major: UInt8, _ minor: UInt8, _ packet: [UInt8]?) -> [UInt8]? {
      play(status: BridgeBytes.status(major, minor), BridgeBytes.bubble(info: packet))
        .readings.first?.image.patchInfo?.bytes
    }
    #expect(info(1, 34, early) == BridgeBytes.patchInfo)
    #expect(info(1, 35, late) == BridgeBytes.patchInfo && info(2, 0, late) == BridgeBytes.patchInfo)
    // Two numbers, not a decimal fraction.
    #expect(info(1, 4, early) == BridgeBytes.patchInfo && info(2, 10, late) == BridgeBytes.patchInfo)
    #expect(info(1, 35, early) == nil && info(2, 0, Array(late.dropLast())) == nil && info(2, 0, nil) == nil)
  }

  @Test("is read again at each of its reports")
  func reports() {
    let script = BridgeScript(.bubble, for: .seconds(900)) { bytes, number in
      bytes == Self.read
        ? BridgeScript.burst(BridgeBytes.bubble())
        : (0..<3).map { (.seconds(1 + 300 * $0), BridgeBytes.status(2, 0)) }
    }
    #expect(script.readings.count == 3 && script.writes == [Self.start, Self.read, Self.read, Self.read])
  }

  // MARK: Disturbances

  @Test(
    "is a reading in packets of any length, padded or not, raw or decrypted, whatever comes before its UID",
    arguments: [
      BridgeBytes.bubble(), BridgeBytes.bubble(padding: 8), BridgeBytes.bubble(length: 240),
      BridgeBytes.bubble(length: 1), BridgeBytes.bubble(kind: 0x88), BridgeBytes.bubble(kind: 0x8C),
      // Packets of an earlier reading are dropped, and each UID begins anew.
      BridgeBytes.bubble().suffix(5) + BridgeBytes.bubble(), BridgeBytes.bubble().prefix(9) + BridgeBytes.bubble(),
      // So are packets that are too short or of an unknown kind.
      [[], [0x80], [0x80, 0, 2, 0], [0xC0, 0], [0xC1], [0x82], [0x87, 0, 0, 3], [0x8A], [0x99, 1]]
        + BridgeBytes.bubble(),
    ] as [[[UInt8]]])
  func packets(_ packets: [[UInt8]]) {
    let script = play(packets)
    #expect(script.readings.map(\.image.bytes) == [BridgeBytes.memory] && script.faults.isEmpty)
  }

  @Test("is read again if a packet is lost, and gives a memory for the checksums to judge if one came twice")
  func lost() {
    var packets = BridgeBytes.bubble()
    let script = play(packets.enumerated().filter { $0.offset != 9 }.map(\.element), packets)
    #expect(script.readings.map(\.image.bytes) == [BridgeBytes.memory])
    #expect(script.writes == [Self.start, Self.read, Self.read])
    packets.insert(packets[9], at: 9)
    let readings = play(packets).readings
    #expect(readings.count == 1 && readings.first?.image.bytes != BridgeBytes.memory)
  }

  @Test("has no sensor below it if it says so three times")
  func noSensor() {
    let missing: [[UInt8]] = [[0xBF, 0xEE]]
    #expect(play(missing, missing, BridgeBytes.bubble()).readings.count == 1)
    let script = play(for: .seconds(60), missing, missing, missing)
    #expect(script.faults == [.noSensor] && script.writes == [Self.start, Self.read, Self.read, Self.read])
  }

  @Test("is silent if it reports itself and sends nothing, or does not report itself")
  func silent() {
    #expect(play(for: .seconds(90)).faults == [.silent])
    #expect(BridgeScript(.bubble, for: .seconds(90)) { _, _ in [] }.faults == [.silent])
  }
}
