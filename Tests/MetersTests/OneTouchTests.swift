// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Meters

@Suite("The OneTouch protocol")
struct OneTouchTests {
  private static let meter = "OneTouch B2C4"
  private static let acknowledgement = MeterEvent.value(.oneTouchAnswer, [0x81])

  private static func procedure(bookmark: MeterBookmark? = nil) -> OneTouchProcedure {
    OneTouchProcedure(
      MeterDescription(identity: MeterIdentity(address: "AA:BB:CC:DD:EE:FF", name: meter), services: [.oneTouch]),
      bookmark: bookmark)
  }

  /// The content of a record, an hour later with each number.
  private static func content(_ number: Int, flag: UInt8 = 0) -> [UInt8] {
    UInt32(821_345_401 + number * 3_600).littleEndianBytes + [UInt8(100 + number % 100), 0, flag, 0, 0, 0, 0]
  }

  /// The write of a command, the meter's confirmation and answer, and the write of ours.
  private static func exchange(_ payload: [UInt8]) -> [MeterEvent] {
    [.accepted, acknowledgement, .value(.oneTouchAnswer, OneTouchFrame.bytes(carrying: payload)), .accepted]
  }

  /// Up to the first command for a record.
  private static func start(newest: UInt32, count: UInt16) -> [MeterEvent] {
    [.accepted, .quiet] + exchange([6, 0x79, 0xBC, 0xF4, 0x30]) + exchange([6] + newest.littleEndianBytes)
      + exchange([6] + count.littleEndianBytes)
  }

  private static func record(_ number: Int, flag: UInt8 = 0) -> [MeterEvent] {
    exchange([6] + content(number, flag: flag))
  }

  // MARK: Frames

  @Test("has the checksum of CRC-16/CCITT-FALSE; ClosedRequestsTests has the commands")
  func checksum() {
    #expect(OneTouchFrame.checksum(of: [0x05, 0x02, 0x03]) == 0x716D)
    #expect(OneTouchFrame.checksum(of: Array("123456789".utf8)) == 0x29B1)
    #expect(HexText.string(of: OneTouchRequest.record(300).bytes, separator: " ") == "01 02 0A 00 03 B3 2C 01 03 FC 39")
  }

  @Test("reads the clock and a record of the example answers")
  func exampleAnswers() throws {
    let clock = try OneTouchAnswer(bytes("01 02 0C 00 03 06 79 BC F4 30 03 BD DE"))
    #expect(clock == .content([0x79, 0xBC, 0xF4, 0x30]))
    #expect(text(OneTouchRecord.time(0x30F4_BC79)) == "2026-01-10T07:30:00")
    let frame = bytes("01 02 13 00 03 06 79 BC F4 30 68 00 00 00 00 00 00 03 6D F7")
    let content = Array(frame[6..<17])
    #expect(try OneTouchAnswer(frame) == .content(content))
    let record = try OneTouchRecord(content)
    #expect(text(record.time) == "2026-01-10T07:30:00" && record.milligramsPerDecilitre == 104 && record.flag == 0)
    for count in 0..<frame.count {
      #expect(throws: PacketError.self) { try OneTouchFrame.payload(of: Array(frame.prefix(count))) }
    }
    #expect(throws: PacketError.malformedFrame) { try OneTouchFrame.payload(of: frame + [0]) }
    for place in frame.indices {
      for bit in 0..<8 {
        var damaged = frame
        damaged[place] ^= 1 << UInt8(bit)
        #expect(throws: PacketError.self) { try OneTouchFrame.payload(of: damaged) }
      }
    }
  }

  @Test("accepts the confirmation bare and in a frame, and tells the refusals apart")
  func kinds() throws {
    #expect(try OneTouchAnswer([0x81]) == .acknowledgement)
    #expect(try OneTouchAnswer(OneTouchFrame.bytes(carrying: [0x81])) == .acknowledgement)
    #expect(try OneTouchAnswer(OneTouchFrame.bytes(carrying: [8])) == .refused(.notSupported))
    #expect(try OneTouchAnswer(OneTouchFrame.bytes(carrying: [0x42])) == .refused(.unknown(0x42)))
    #expect(throws: PacketError.malformedFrame) { try OneTouchAnswer(OneTouchFrame.bytes(carrying: [])) }
  }

  // MARK: Conversations

  @Test("rests a second, reads clock, newest number and count, then each record from the oldest to the newest")
  func conversation() {
    var procedure = Self.procedure()
    let steps = procedure.play(Self.start(newest: 302, count: 3) + (300...302).flatMap { Self.record($0) })
    let limit = Duration.seconds(35)
    let commands: [OneTouchRequest] = [.time, .newestNumber, .recordCount, .record(300), .record(301), .record(302)]
    let expected: [MeterStep] =
      [.perform(.subscribe(.oneTouchAnswer), within: limit), .await(within: .seconds(1))]
      + commands.flatMap { command -> [MeterStep] in
        [
          .perform(.oneTouch(command), within: limit), .await(within: .seconds(5)), .await(within: .seconds(5)),
          .perform(.oneTouch(.acknowledgement), within: limit),
        ]
      } + [.finished]
    #expect(steps == expected)
    #expect(text(procedure.clock) == "2026-01-10T07:30:00" && procedure.announcedCount == 3)
    let records = procedure.takeRecords()
    #expect(records.numbers == [300, 301, 302] && procedure.takeRecords().isEmpty)
    let newest = records.last?.glucose
    #expect(newest?.value?.description == "102 mg/dL")
    #expect(newest?.bookmark == MeterBookmark(sequenceNumber: 302, packet: Self.content(302)))
  }

  @Test(
    "begins with the bookmark's record if it is unchanged; else, or if its number is too high, reads all records",
    arguments: [
      (2, content(2), record(2) + record(3), false, [2, 3]),
      (2, content(9), record(2) + (1...3).flatMap { record($0) }, true, [1, 2, 3]),
      (70, content(70), (1...3).flatMap { record($0) }, true, [1, 2, 3]),
    ] as [(Int, [UInt8], [MeterEvent], Bool, [Int])])
  func bookmark(number: Int, packet: [UInt8], events: [MeterEvent], wasReset: Bool, numbers: [Int]) {
    var procedure = Self.procedure(bookmark: MeterBookmark(sequenceNumber: number, packet: packet))
    _ = procedure.play(Self.start(newest: 3, count: 200) + events)
    #expect(procedure.next() == .finished && procedure.wasReset == wasReset)
    #expect(procedure.takeRecords().numbers == numbers)
  }

  @Test("ends without records if the meter has none, and with a count above the newest number begins at 1")
  func counts() {
    for (newest, count, events) in [(0, 0, []), (1, 500, Self.record(1))] as [(UInt32, UInt16, [MeterEvent])] {
      var procedure = Self.procedure()
      #expect(procedure.play(Self.start(newest: newest, count: count) + events).last == .finished)
      #expect(procedure.takeRecords().count == events.count / 4)
    }
  }

  @Test("does not take a record with a flag for blood")
  func flag() throws {
    var procedure = Self.procedure()
    _ = procedure.play(Self.start(newest: 1, count: 1) + Self.record(1, flag: 1))
    let record = try #require(procedure.takeRecords().first?.glucose)
    #expect(FingerStickVerdict(record, now: .late) == .unusable(.controlOrError))
  }

  @Test("leaves out a record that the meter refuses or sends damaged, and lists it")
  func damagedRecord() {
    var procedure = Self.procedure()
    let damaged: [UInt8] = [1, 2, 3]
    let refusal = OneTouchFrame.bytes(carrying: [8])
    _ = procedure.play(
      Self.start(newest: 4, count: 4) + Self.record(1) + [.accepted, .value(.oneTouchAnswer, damaged), .accepted]
        + [.accepted, .value(.oneTouchAnswer, refusal), .accepted] + Self.record(4))
    #expect(procedure.next() == .finished)
    #expect(procedure.takeRecords().numbers == [1, 4])
    #expect(
      procedure.rejected == [
        RejectedPacket(bytes: damaged, reason: .tooShort(expected: 8, got: 3)),
        RejectedPacket(bytes: refusal, reason: .unexpectedAnswer(refusal)),
      ])
  }

  @Test(
    "ends in an error that keeps the records that came",
    arguments: [
      (
        [.accepted, .value(.oneTouchAnswer, OneTouchFrame.bytes(carrying: [7]))],
        .commandRefused(meter: meter, .notAllowed)
      ),
      ([.accepted, acknowledgement, .quiet], .silent(meter: meter, received: 1)),
      ([.accepted, .disconnected], .disconnected(meter: meter, received: 1)),
      ([.cancelled], .cancelled(meter: meter, received: 1)), ([.refused(.notPaired)], .notPaired(meter: meter)),
    ] as [([MeterEvent], MeterError)])
  func faults(events: [MeterEvent], error: MeterError) {
    var procedure = Self.procedure()
    _ = procedure.play(Self.start(newest: 9, count: 9) + Self.record(1) + events)
    #expect(procedure.next() == .failed(error))
    #expect(procedure.takeRecords().numbers == [1])
  }

  @Test("ends in an error if an answer on which all else depends is damaged, refused or too short")
  func damagedStart() {
    let begin: [MeterEvent] = [.accepted, .quiet, .accepted]
    for (answer, error) in [
      (
        bytes("01 02 0C 00 03 06 79 BC F4 30 03 BC DE"),
        MeterError.malformedAnswer(meter: Self.meter, .wrongChecksum(stored: 0xDEBC, computed: 0xDEBD))
      ),
      (OneTouchFrame.bytes(carrying: [6, 1]), .malformedAnswer(meter: Self.meter, .tooShort(expected: 4, got: 1))),
      (OneTouchFrame.bytes(carrying: [9]), .commandRefused(meter: Self.meter, .notUnderstood)),
    ] {
      var procedure = Self.procedure()
      #expect(procedure.play(begin + [.value(.oneTouchAnswer, answer)]).last == .failed(error))
    }
  }

  @Test("passes over a confirmation and an answer that it does not wait for, up to a bound")
  func unasked() {
    var procedure = Self.procedure()
    _ = procedure.play([.accepted, Self.acknowledgement, .quiet])
    for _ in 0...40_000 { procedure.feed(.value(.battery, [1])) }
    #expect(procedure.next() == .failed(.tooManyPackets(meter: Self.meter)))
  }
}
