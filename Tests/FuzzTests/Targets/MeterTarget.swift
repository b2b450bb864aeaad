// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreDocuments

@testable import Meters

/// The bytes that come from a Bluetooth meter: packets, OneTouch frames, and whole transfers with whatever events.
enum MeterTarget {
  static let all = [
    FuzzTarget(name: "meter-packet", seeds: { packets }, longest: 64, testRuns: 2_000, run: parse),
    FuzzTarget(name: "meter-frame", seeds: { frames }, longest: 64, testRuns: 2_000, run: unframe),
    FuzzTarget(name: "meter-transfer", seeds: { transfers }, longest: 2_048, testRuns: 400, run: transfer),
    FuzzTarget(name: "bridge", seeds: { bridges }, longest: 2_048, testRuns: 400, run: bridge),
  ]

  // MARK: Bridges

  /// The language, then notifications, each with its length before it; a length of 0 is a silence.
  private static let bridges: [[UInt8]] = [
    [0, 0, 1, 0x34, 0, 0, 1, 0x32, 0], [0, 0] + [20, 0x28, 0x01, 0x6B] + [UInt8](repeating: 0xE0, count: 17) + [0],
    [1, 0] + [5, 0x80, 0, 2, 0, 92] + [0, 10] + hex("C0 00 84 C6 B8 60 00 A0 07 E0") + [2, 0xBF, 0],
  ]

  /// Whatever a bridge sends, only the listed bytes are written to it, and a reading is a whole memory.
  private static func bridge(_ input: [UInt8]) throws {
    var rest = input.dropFirst()
    var procedure = BridgeProcedure(input.first == 1 ? .bubble : .miaoMiao, acceptsSensor: true)
    var consents = 0
    while let length = rest.popFirst() {
      let step = procedure.next()
      try require(step == procedure.next(), "the step changes by itself")
      switch step {
      case .perform(let request, _):
        try require(
          [[0xF0], [0xD3, 1], [0, 0xA0, 5], [2, 0xA0, 0, 0, 0, 43]].contains(request.writtenBytes),
          "\(request.writtenBytes ?? []) is written")
        if request == .bridge(.acceptSensor) { consents += 1 }
        procedure.feed(.accepted)
      case .await(let pause): try require(pause > .zero, "a wait of \(pause)")
      case .finished, .failed: throw OracleFailure(description: "a conversation that ends")
      }
      procedure.feed(length == 0 ? .quiet : .value(.bridgeAnswer, Array(rest.prefix(Int(length)))))
      rest = rest.dropFirst(Int(length))
      if case .reading(let reading) = procedure.takeNews() {
        try require(reading.image.bytes.count == 344 && reading.image.uid != nil, "a reading that is not whole")
      }
    }
    try require(consents <= 1, "\(consents) consents")
  }

  // MARK: Packets

  /// The number of a parser, then the packet.
  private static let packets: [[UInt8]] = [
    [0] + hex("13 1E 00 E2 07 09 14 05 1B 07 5C FE 6F B0 F1"),
    [0] + hex("1F 02 00 E9 07 05 15 0A 1E 2D 00 00 78 00 41 01 00"),
    [0] + hex("0A 67 00 EA 07 01 0D 07 1E 03 FE 07 F1 20 00"), [1] + hex("02 1E 00 02"),
    [1] + hex("FF 07 00 00 02 0F 90 03 5F 10 0E 32 01 05 D0 40 F0"),
    [2] + hex("1E 5F 00 41 00 4B 00 E1 07 07 0C 08 0A 19 40 00 00 04 00"),
    [2] + hex("56 6A 00 47 00 00 00 EA 07 08 0B 12 1F 00 00 3F 00 00 00"), [3, 5, 0, 0xF7, 0], [3, 6, 0, 1, 1],
    [4] + hex("06 79 BC F4 30 68 00 00 00 00 00 00"), [5, 0xFF, 0x03],
  ]

  private static func hex(_ text: String) -> [UInt8] { HexText.bytes(of: text) ?? [] }

  private static let now = CivilTime(Instant(secondsSince1970: 1_795_000_000))

  private static func parse(_ input: [UInt8]) throws {
    let packet = Array(input.dropFirst())
    switch (input.first ?? 0) % 6 {
    case 0:
      guard let measurement = try? GlucoseMeasurement(packet) else { return }
      try require((try? GlucoseMeasurement(packet + [0x5A])) == measurement, "a surplus byte changes the measurement")
      try require(packet.count >= 10, "a measurement of \(packet.count) bytes")
      for quirks in [[], Set(MeterQuirk.allCases)] {
        var transfer = GlucoseTransfer(features: nil, quirks: quirks)
        transfer.begin()
        transfer.keepMeasurement(packet)
        for record in transfer.records() { try check(record) }
      }
    case 1:
      guard let context = try? GlucoseMeasurementContext(packet) else { return }
      try require((try? GlucoseMeasurementContext(packet + [0x5A])) == context, "a surplus byte changes the context")
    case 2:
      guard let record = try? BloodPressureRecord(packet) else { return }
      guard case .usable(let values) = BloodPressureVerdict(record, now: now) else { return }
      try require(values.diastolic < values.systolic && values.systolic <= 320, "pressures \(values)")
      try require(values.mean.map { (values.diastolic...values.systolic).contains($0) } ?? true, "mean \(values)")
    case 3: _ = try? RecordAccessResponse(packet)
    case 4:
      guard let record = try? OneTouchRecord(packet) else { return }
      try check(GlucoseRecord(record, number: 1, packet: packet))
    default: _ = try? GlucoseFeatures(packet)
    }
  }

  private static func check(_ record: GlucoseRecord) throws {
    _ = record.value?.description
    guard case .usable(let time, let concentration) = FingerStickVerdict(record, now: now) else { return }
    try require((20...1_000).contains(concentration.milligramsPerDecilitre), "\(concentration) is usable")
    try require(record.kind == .blood, "\(record.kind) is usable")
    try require(time == record.time.wallTime, "the time is another")
    try require(record.status.isDisjoint(with: .spoilsValue), "a value with \(record.status.names) is usable")
  }

  // MARK: Frames

  private static let frames: [[UInt8]] =
    [[0x81], hex("01 02 0C 00 03 06 79 BC F4 30 03 BD DE")]
    + [OneTouchRequest.time, .newestNumber, .recordCount, .record(300)].map(\.bytes)

  private static func unframe(_ input: [UInt8]) throws {
    _ = try? OneTouchAnswer(input)
    guard let payload = try? OneTouchFrame.payload(of: input), payload.count <= 12 else { return }
    try require(OneTouchFrame.bytes(carrying: payload) == input, "a payload in two different frames")
  }

  // MARK: Transfers

  /// The kind of meter, whether there is a bookmark, then events.
  private static let transfers: [[UInt8]] = [
    [0, 0, 0, 0, 0, 0],
    [0, 1, 0, 0, 0, 0, 2, 13] + hex("02 66 00 EA 07 01 0C 07 1E 02 78 B0 11") + [4, 4, 6, 0, 1, 1],
    [1, 0, 0, 5, 7] + hex("00 BD F0 0B 00 9F F0"),
    [2, 0, 0, 1, 0, 6, 1, 0x81, 0, 6, 13] + hex("01 02 0C 00 03 06 79 BC F4 30 03 BD DE"),
  ]

  private static func procedure(_ draw: inout FuzzBytes) -> any MeterProcedure {
    let kind = draw.index(below: 3)
    let packet = hex("02 66 00 EA 07 01 0C 07 1E 02 78 B0 11")
    let bookmark = draw.flag() ? MeterBookmark(sequenceNumber: 102, packet: packet) : nil
    let names = ["Meter", "CareSens", "TNG VOICE", "BM64"]
    let meter = MeterDescription(identity: MeterIdentity(address: "sim", name: names[kind]), services: [.glucose])
    return switch kind {
    case 0: GlucoseProcedure(meter, characteristics: Set(MeterCharacteristic.allCases), bookmark: bookmark)
    case 1: CuffProcedure(meter)
    default: OneTouchProcedure(meter, bookmark: bookmark)
    }
  }

  private static let answering: [MeterCharacteristic] = [
    .glucoseMeasurement, .glucoseContext, .recordAccess, .bloodPressureMeasurement, .oneTouchAnswer, .battery,
  ]

  /// Whatever it is fed, a procedure writes only what it may, ends when all is quiet, and hands out what it counted.
  private static func transfer(_ input: [UInt8]) throws {
    var draw = FuzzBytes(input)
    var procedure = procedure(&draw)
    var taken: [MeterRecord] = []
    var count = 0
    while true {
      let step = procedure.next()
      try require(step == procedure.next(), "the step changes by itself")
      if case .finished = step { break }
      if case .failed(let error) = step {
        try require(!error.message.isEmpty && !error.resolution.isEmpty, "an error without words")
        break
      }
      if case .perform(let request, _) = step, let written = request.writtenBytes { try check(written) }
      count += 1
      try require(count <= input.count + 12, "a transfer that does not end by itself")
      procedure.feed(draw.isEmpty ? .quiet : event(&draw))
      taken += procedure.takeRecords()
    }
    let end = procedure.next()
    for event in [MeterEvent.accepted, .quiet, .disconnected, .value(.recordAccess, [6, 0, 1, 1])] {
      procedure.feed(event)
      try require(procedure.next() == end, "an event after the end changes it")
    }
    try require(taken.count == procedure.receivedCount, "\(taken.count) of \(procedure.receivedCount) records")
    for record in taken.compactMap(\.glucose) { try check(record) }
  }

  private static func event(_ draw: inout FuzzBytes) -> MeterEvent {
    switch draw.byte() % 16 {
    case 0...5: .accepted
    case 6: .value(.oneTouchAnswer, draw.some(Int(draw.byte() % 32)))
    case 7: .quiet
    case 8: .refused(MeterRefusal(attError: draw.byte()))
    case 9: .cancelled
    case 10: .disconnected
    case 11: .value(.oneTouchAnswer, OneTouchFrame.bytes(carrying: [6] + draw.some(Int(draw.byte() % 12))))
    default: .value(answering[draw.index(below: answering.count)], draw.some(Int(draw.byte() % 24)))
    }
  }

  private static func check(_ written: [UInt8]) throws {
    let isRecordAccess =
      [[4, 1], [1, 1], [3, 0]].contains(written) || written.starts(with: [1, 3, 1]) && written.count == 5
    let payload = try? OneTouchFrame.payload(of: written)
    let isCommand =
      written == [0x81] || [[0x20, 0x02], [0x0A, 0x02, 0x06], [0x27, 0x00]].contains(payload)
      || payload?.first == 0xB3 && payload?.count == 3
    try require(isRecordAccess || isCommand, "it writes \(HexText.string(of: written, separator: " "))")
  }
}
