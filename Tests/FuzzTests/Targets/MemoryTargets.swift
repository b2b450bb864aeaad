// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TestSupport

@testable import LibreKit

/// The decoder, on bytes as they come and on bytes whose checksums are made right first: of those that come by chance,
/// none gets past three checksums.
enum MemoryTargets {
  static let all = [
    FuzzTarget(name: "decoder", seeds: { memories }, longest: 512, testRuns: 2_000, run: decode),
    FuzzTarget(
      name: "resealed", seeds: { memories.map { $0 + [0, 0, 0] } }, longest: 344 + 40, testRuns: 500, run: reseal),
    FuzzTarget(name: "written", seeds: { writings }, longest: 512, testRuns: 500, run: write),
  ]

  /// Of every scenario that has as many bytes.
  static let memories = Scenario.all.map { Array($0.memory(seed: 1).prefix(344)) }.filter { $0.count == 344 }

  /// Arbitrary bytes: the decoder refuses them with the reason that the slow one has, or says what that says.
  private static func decode(_ bytes: [UInt8]) throws {
    let slow = bytes.count >= 344 ? SlowMemory(bytes) : nil
    let expected = SlowOutcome.error(bytes, slow)
    do {
      let decoded = try Libre1Decoder.decode(bytes.span)
      let slow = try require(slow, "decoded, though too short")
      try require(expected == nil, "decoded, not refused with \(String(describing: expected))")
      try DecodedMemoryOracle.check(decoded, against: slow, .factory)
    } catch let error as MemoryError {
      try require(error == expected, "refused with \(error), not \(String(describing: expected))")
    }
    // One that decodes is the same with and without salvaging.
    if let slow, expected != nil { try salvage(bytes, slow, missing: [], footer: nil, .factory) }
  }

  /// With everything that still can be had of it.
  private static func salvage(
    _ bytes: [UInt8], _ slow: SlowMemory, missing: Set<Int>, footer: [UInt8]?, _ model: SlowModel
  ) throws {
    let expected = SlowOutcome.bodyError(slow, salvaging: true)
    do {
      let memory = try FRAM(bytes.span, missingBlocks: BlockSet(missing)).validated(salvaging: true, footer: footer)
      try require(expected == nil, "salvaged, not refused with \(String(describing: expected))")
      try DecodedMemoryOracle.check(
        Libre1Decoder.decode(memory, calibration: model.model), against: slow, model)
    } catch let error as MemoryError {
      try require(error == expected, "refused with \(error), not \(String(describing: expected))")
    }
  }

  /// 344 bytes and how they are damaged after they were sealed: nothing, a region, a tick of the minute, missing blocks.
  private static func reseal(_ input: [UInt8]) throws {
    guard input.count >= 344 else { return }
    var bytes = Array(input.prefix(344))
    var options = FuzzBytes(Array(input.dropFirst(344)))
    let damage = options.byte()
    let choice = options.byte()
    // Indices by chance are possible once in 128 times.
    if damage & 0x80 == 0 {
      bytes[26] &= 15
      bytes[27] &= 31
    }
    for region in SlowMemory.regions {
      bytes.seal(region)
      let checksum = CRC16.checksum(bytes.span.extracting(region.dropFirst(2)))
      try require(checksum == SlowPro.number(bytes, region.lowerBound), "the checksum of \(region)")
    }
    var missing: Set<Int> = []
    var footer: [UInt8]?
    switch damage & 7 {
    case 1: bytes[0] ^= 1
    case 2: bytes[343] ^= 1
    case 3: tick(&bytes)
    case 4: missing = Set(options.some(8).map { Int($0) % 43 })
    case 5: bytes[28 + Int(options.byte())] ^= 1
    case 6:
      bytes[321] ^= 1
      footer = Array(MemoryTargets.memories[options.index(below: memories.count)][320..<344])
    default: break
    }
    for block in missing { bytes.replaceSubrange(8 * block..<8 * block + 8, with: [UInt8](repeating: 0, count: 8)) }
    let linear = SlowModel.linear(slope: Double(choice) / 100, offset: Double(options.byte()) - 128)
    let slow = SlowMemory(bytes, missing: missing, footer: footer)
    try salvage(bytes, slow, missing: missing, footer: footer, choice == 0 ? .factory : linear)
    if damage & 7 == 0 {
      let expected = SlowOutcome.bodyError(slow, salvaging: false)
      do {
        _ = try Libre1Decoder.decode(bytes.span)
        try require(expected == nil, "a sealed memory that should be refused with \(String(describing: expected))")
      } catch let error as MemoryError {
        try require(error == expected, "a sealed memory is refused for its ring indices only, not for \(error)")
      }
    }
  }

  /// As if the minute had ticked while the memory was read.
  private static func tick(_ bytes: inout [UInt8]) {
    let age = Int(bytes[316]) + 256 * Int(bytes[317])
    guard age < 65_535 else { return }
    (bytes[316], bytes[317]) = (UInt8((age + 1) % 256), UInt8((age + 1) / 256))
  }

  // MARK: decode(write(v)) = v

  private static let writings: [[UInt8]] = (0..<4).map { seed in
    var random = SplitMix64(seed: UInt64(seed))
    return random.bytes(400)
  }

  /// Values drawn from the input, written by the simulator and read again.
  private static func write(_ input: [UInt8]) throws {
    var draw = FuzzBytes(input)
    var writer = MemoryWriter()
    writer.state = draw.byte()
    writer.activity = draw.byte()
    writer.ageMinutes = draw.short()
    writer.maxLifeMinutes = draw.short()
    writer.trendIndex = draw.byte() & 15
    writer.historyIndex = draw.byte() & 31
    writer.region = draw.byte()
    writer.minimumRawGlucose = draw.byte()
    writer.initializations = draw.byte()
    writer.i1 = draw.index(below: 8)
    writer.i2 = draw.short() % 1_024
    writer.i3 = draw.index(below: 256) * (draw.flag() ? -1 : 1)
    writer.i4 = draw.short() % 16_384
    writer.i5 = draw.short() % 4_096 * 4
    writer.i6 = draw.short() % 4_096 * 4
    if draw.flag() {
      writer.failure = SensorFailure(code: draw.byte(), minute: SensorMinute(draw.short()))
    } else {
      writer.endOfLife = (0..<draw.index(below: 7)).map { _ in
        EndOfLifeEntry(leftState: SensorState(draw.byte()), minute: SensorMinute(draw.short()))
      }
    }
    func record() -> RecordFields {
      RecordFields(
        glucose: draw.short() % 16_384, temperature: draw.short() % 4_096 * 4,
        temperatureAdjustment: draw.short() % 512 * (draw.flag() ? -4 : 4), hasError: draw.flag(),
        errorField: draw.short() % 2_048)
    }
    for slot in 0..<16 { writer.trend[slot] = record() }
    for slot in 0..<32 { writer.history[slot] = record() }

    let bytes = writer.memory()
    let decoded = try Libre1Decoder.decode(bytes.span)
    let memory = decoded.memory
    try require(
      memory.state == SensorState(writer.state) && memory.ageMinutes == writer.ageMinutes
        && memory.maxLifeMinutes == writer.maxLifeMinutes && memory.trendIndex == Int(writer.trendIndex)
        && memory.historyIndex == Int(writer.historyIndex) && memory.region == SensorRegion(writer.region)
        && memory.minimumRawGlucose == Int(writer.minimumRawGlucose)
        && memory.initializations == Int(writer.initializations)
        && memory.calibrationParameters == writer.calibration, "what was written is read")
    if writer.failure == nil, memory.state != .failure {
      try require(memory.endOfLife == writer.endOfLife, "the log that was written is read")
    }
    if memory.state == .failure, let failure = writer.failure {
      try require(memory.failure == failure, "the failure that was written is read")
    }
    for (ring, records) in [(SampleRing.trend, writer.trend), (.history, writer.history)] {
      let next = ring == .trend ? Int(writer.trendIndex) : Int(writer.historyIndex)
      for index in records.indices {
        let slot = (next + 2 * records.count - 1 - index) % records.count
        let found = try require(memory.record(ring, newest: index), "a record of \(ring)")
        try require(RecordFields(found) == records[slot], "\(ring) \(index): \(found), not \(records[slot])")
      }
    }
    try DecodedMemoryOracle.check(decoded, against: SlowMemory(bytes), .factory)
  }
}
