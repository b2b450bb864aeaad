// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Meters

@Suite("The language of a MiaoMiao")
struct MiaoMiaoTests {
  private func play(
    accepts: Bool = false, for length: Duration = .seconds(200), _ answers: [Int: [BridgeScript.Notification]]
  ) -> BridgeScript {
    BridgeScript(.miaoMiao, accepts: accepts, for: length) { _, number in answers[number] ?? [] }
  }

  private func bytes(_ text: String) throws -> [UInt8] { try #require(HexText.bytes(of: text)) }

  // MARK: Readings

  @Test("is a reading in pieces of any length, with or without patch info", arguments: [1, 7, 20, 244, 363, 369, 512])
  func pieces(length: Int) throws {
    for patchInfo in [BridgeBytes.patchInfo, []] {
      let stream = BridgeBytes.miaoMiao(patchInfo: patchInfo)
      let script = play([1: BridgeScript.burst(BridgeBytes.cut(stream, length))])
      let reading = try #require(script.readings.first)
      #expect(reading.image.bytes == BridgeBytes.memory)
      #expect(reading.image.uid == SensorUID(bits: 0xE007_A000_60B8_C684))
      #expect(reading.image.patchInfo?.bytes == (patchInfo.isEmpty ? nil : patchInfo))
      #expect(reading.batteryPercent == 92 && reading.firmware == "0007" && reading.hardware == "1001")
      #expect(script.news.count == 1 && script.writes == ["F0"])
    }
  }

  @Test("is the session of TRANSMITTERS 9.1 with the real memory", .enabled(if: ReferenceDumps.arePresent))
  func session() throws {
    let memory = try ReferenceDumps.bytes(of: "bubble-test.bin")
    let pieces = BridgeBytes.cut(BridgeBytes.miaoMiao(memory), 20)
    let known = [
      0: "28 01 6B 02 94 84 C6 B8 60 00 A0 07 E0 5C 00 07 10 01 94 21",
      1: "90 1A 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
      17: "00 01 CF 09 A1 50 14 07 96 80 5A 00 ED A6 00 92 1A C8 04 BE", 18: "D8 66 29 A2 00 00 08 1E 00",
    ]
    #expect(pieces.count == 19)
    for (number, text) in known { #expect(HexText.string(of: pieces[number], separator: " ") == text) }
    let script = play([1: BridgeScript.burst(pieces)])
    #expect(script.readings.map(\.image.bytes) == [memory])
  }

  @Test(
    "is understood in the headers that real devices have sent, whatever length they announce",
    arguments: [
      ("2807B35457DB353E0100A007E06400340001", 0xE007_A000_013E_35DB, 100, "0034 0001"),
      ("2807B3182B9A81500100A007E06400340001", 0xE007_A000_0150_819A, 100, "0034 0001"),
      ("28016B455C2093690500A007E05C00071001", 0xE007_A000_0569_9320, 92, "0007 1001"),
    ] as [(String, UInt64, Int, String)])
  func headers(_ text: String, _ uid: UInt64, _ battery: Int, _ versions: String) throws {
    let head = try bytes(text)
    let script = play([1: BridgeScript.burst(BridgeBytes.cut(head + BridgeBytes.memory + [0x29], 20))])
    let reading = try #require(script.readings.first)
    #expect(reading.image.uid?.bits == uid && reading.batteryPercent == battery)
    #expect([reading.firmware, reading.hardware].compactMap(\.self).joined(separator: " ") == versions)
    #expect(reading.image.bytes == BridgeBytes.memory)
  }

  @Test("ends with the mark at byte 362: the last byte of 369 is that of the patch info")
  func end() throws {
    let tail = try bytes("A2 08 00 01 6D 3A")
    let script = play([1: BridgeScript.burst(BridgeBytes.cut(BridgeBytes.miaoMiao(patchInfo: tail), 20))])
    #expect(try #require(script.readings.first).image.patchInfo?.bytes == tail)
    // Without the mark the checksums of the memory decide, but what follows is not taken for patch info.
    var other = BridgeBytes.miaoMiao()
    other[362] = 0x20
    let unmarked = play([1: BridgeScript.burst([other])])
    #expect(unmarked.readings.map(\.image.bytes) == [BridgeBytes.memory])
    #expect(try #require(unmarked.readings.first).image.patchInfo == nil)
  }

  @Test("waits a moment for a patch info that comes later, and not for ever")
  func latePatchInfo() throws {
    let stream = BridgeBytes.miaoMiao()
    let late = play([1: [(.seconds(1), Array(stream.prefix(363))), (.milliseconds(1_200), Array(stream.suffix(6)))]])
    #expect(late.readings.map { $0.image.patchInfo?.bytes } == [BridgeBytes.patchInfo])
    let tooLate = play([1: [(.seconds(1), Array(stream.prefix(363))), (.milliseconds(1_400), Array(stream.suffix(6)))]])
    #expect(try #require(tooLate.readings.first).image.patchInfo == nil)
  }

  @Test(
    "may announce 1971 bytes and send 1791 of which the first reading counts; answers of other programs are ignored")
  func surplus() throws {
    let stream =
      BridgeBytes.miaoMiao(announced: [0x07, 0xB3], patchInfo: []) + [UInt8](repeating: 0x28, count: 1_791 - 363)
    for pieces in [
      BridgeBytes.cut(stream, 20), [[0xD1, 0x01], [], [0xD1, 0x00], BridgeBytes.miaoMiao(patchInfo: [])],
    ] {
      let script = play([1: BridgeScript.burst(pieces)])
      #expect(script.readings.map(\.image.bytes) == [BridgeBytes.memory] && script.faults.isEmpty)
      #expect(try #require(script.readings.first).image.patchInfo == nil)
    }
  }

  @Test("gives one reading of two without a pause, whose pieces run into each other", arguments: [1, 20, 244])
  func two(length: Int) throws {
    for patchInfo in [[], BridgeBytes.patchInfo] {
      let stream = BridgeBytes.miaoMiao(patchInfo: patchInfo)
      let script = play([1: BridgeScript.burst(BridgeBytes.cut(stream + stream, length))])
      #expect(script.readings.map(\.image.bytes) == [BridgeBytes.memory])
      let info = try #require(script.readings.first).image.patchInfo?.bytes
      // A piece that has the end of one and the beginning of the other hides where the patch info ends.
      #expect(info == nil || info == BridgeBytes.patchInfo)
    }
  }

  @Test("goes on with a reading every five minutes, which it is asked for only if one is missing")
  func pushes() {
    let pieces = BridgeBytes.cut(BridgeBytes.miaoMiao(), 20)
    let pushed = (0..<3).flatMap { minute in pieces.map { (Duration.seconds(1 + 300 * minute), $0) } }
    let script = play(for: .seconds(900), [1: pushed])
    #expect(script.readings.count == 3 && script.writes == ["F0"])
    let missing = play(for: .seconds(400), [1: BridgeScript.burst(pieces), 2: BridgeScript.burst(pieces)])
    #expect(missing.readings.count == 2 && missing.writes == ["F0", "F0"])
  }

  // MARK: Disturbances

  @Test("is asked again after half a packet, a pause in the middle and a lost piece, and then understood")
  func incomplete() {
    let pieces = BridgeBytes.cut(BridgeBytes.miaoMiao(), 20)
    let disturbed: [[BridgeScript.Notification]] = [
      BridgeScript.burst(Array(pieces.prefix(10))),
      BridgeScript.burst(Array(pieces.prefix(10)))
        + BridgeScript.burst(Array(pieces.dropFirst(10)), after: .seconds(5)),
      BridgeScript.burst(Array(pieces.dropFirst())), BridgeScript.burst(Array(pieces.prefix(4) + pieces.dropFirst(5))),
    ]
    for notifications in disturbed {
      // The rest of a broken one may come into the answer to the second request.
      let script = play([1: notifications, 2: BridgeScript.burst(pieces), 3: BridgeScript.burst(pieces)])
      #expect(script.readings.map(\.image.bytes) == [BridgeBytes.memory] && script.faults.isEmpty)
      #expect((2...3).contains(script.writes.count))
    }
  }

  @Test("is given up after three readings that did not arrive whole, and after two requests without an answer")
  func givenUp() {
    let half = Array(BridgeBytes.cut(BridgeBytes.miaoMiao(), 20).prefix(10))
    let script = BridgeScript(.miaoMiao, for: .seconds(60)) { _, _ in BridgeScript.burst(half) }
    #expect(script.faults == [.incomplete] && script.writes.count == 3)
    let silent = play(for: .seconds(90), [:])
    #expect(silent.faults == [.silent] && silent.writes == ["F0", "F0"])
    #expect(silent.times[0] == .seconds(1) && silent.times[1] - silent.times[0] >= .seconds(30))
  }

  @Test("is not taken for a reading from the middle on, although a piece begins with its first byte, or without a UID")
  func outOfStep() {
    let stray: [UInt8] = [0xC9, 0x03, 0xC8] + [UInt8](repeating: 0, count: 17)
    let pieces = [stray] + BridgeBytes.cut(BridgeBytes.miaoMiao(), 20)
    let unnamed = BridgeBytes.miaoMiao(uid: [1, 2, 3, 4, 5, 6, 7, 8])
    for (first, second) in [(pieces, Array(pieces.suffix(19))), ([unnamed], [BridgeBytes.miaoMiao()])] {
      let script = play([1: BridgeScript.burst(first), 2: BridgeScript.burst(second)])
      #expect(script.readings.count == 1 && script.writes.count == 2)
      // The second request follows the silence.
      #expect(script.times[1] - script.times[0] >= .seconds(4))
    }
  }

  // MARK: The sensor

  @Test("has no sensor below it only if it says so twice, half a minute apart")
  func noSensor() {
    let once = play([1: BridgeScript.burst([[0x34]]), 2: BridgeScript.burst([BridgeBytes.miaoMiao()])])
    #expect(once.faults.isEmpty && once.readings.count == 1 && once.times[1] - once.times[0] >= .seconds(30))
    let twice = play(for: .seconds(100), [1: BridgeScript.burst([[0x34]]), 2: BridgeScript.burst([[0x34]])])
    #expect(twice.faults == [.noSensor] && twice.writes.count == 2)
  }

  @Test("takes another sensor only with the owner's consent, given once")
  func otherSensor() {
    let refused = play([1: BridgeScript.burst([[0x32]])])
    #expect(refused.faults == [.otherSensor] && !refused.writes.contains("D3 01"))
    let accepted = play(
      accepts: true, [1: BridgeScript.burst([[0x32]]), 3: BridgeScript.burst([BridgeBytes.miaoMiao()])])
    #expect(accepted.writes == ["F0", "D3 01", "F0"] && accepted.readings.count == 1)
    #expect(accepted.times[2] - accepted.times[1] == .milliseconds(500))
    let stubborn = play(
      accepts: true, for: .seconds(60), [1: BridgeScript.burst([[0x32]]), 3: BridgeScript.burst([[0x32]])])
    #expect(stubborn.faults == [.otherSensor] && stubborn.writes.filter { $0 == "D3 01" }.count == 1)
  }
}
