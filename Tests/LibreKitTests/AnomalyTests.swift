// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import LibreKit
import NFCTransport
import TestSupport
import Testing

/// Makes every exchange of a read fail in every way. A read must give a clean error or correct data, and never
/// anything else.
///
/// Answers to inventory and patch info have no checksum of their own, so only their flags are changed: a wrong byte of
/// the UID is detected only by the checksum of the frame, which is the reader's task.
@Suite("A read with faults")
struct AnomalyTests {
  /// The age of a sensor in mid-life, one minute before and after a record is written to each ring.
  private static let sensor = SimulatedSensor(seed: 11)
  private static let before = sensor.memory(atAge: 3_992)
  private static let after = sensor.memory(atAge: 3_993)

  static let ways: [ExchangeFault] = [
    .silence, .refusal(.unspecified), .refusal(.custom(0xA3)), .inversion(byte: 0), .inversion(byte: 6),
    .short(bytes: 1), .short(bytes: 8), .long(bytes: 1), .removal(returns: true),
  ]

  private static func image(_ bytes: [UInt8]) -> MemoryImage {
    MemoryImage(bytes: bytes, uid: sensor.uid, patchInfo: sensor.patchInfo, readAt: ScanRunner.readAt)
  }

  /// A sensor whose minute changes before this exchange.
  private func tag(_ faults: [Int: ExchangeFault] = [:], ticksAt tick: Int = .max) -> SimulatedTag {
    SimulatedTag(faults: faults) { Self.image($0 < tick ? Self.before : Self.after) }
  }

  /// Expects every section with a valid checksum to be a complete section of the sensor, from one of its two minutes.
  private func expectTruth(_ image: MemoryImage, _ comment: Comment) throws {
    let integrity = CheckedMemory(image).fram.integrity
    for (region, verdict) in [
      (MemoryMap.header, integrity.header), (MemoryMap.body, integrity.body), (MemoryMap.footer, integrity.footer),
    ] {
      let truths = [Self.before, Self.after].map { $0[region.bytes] }
      switch verdict {
      case .ok: #expect(truths.contains(image.bytes[region.bytes]), comment)
      case .torn:
        #expect(image.bytes[24..<316] == Self.before[24..<316], comment)
        #expect(image.bytes[316..<320] == Self.after[316..<320], comment)
      case .bad, .absent: break
      }
    }
  }

  private func isWhole(_ image: MemoryImage) throws -> Bool {
    let integrity = CheckedMemory(image).fram.integrity
    return [integrity.header, integrity.body, integrity.footer].allSatisfy(\.isTrusted)
  }

  /// Wrong data cannot be detected where the protocol has no checksum for it.
  private func isTellable(_ fault: ExchangeFault, at exchange: Int) -> Bool {
    if case .inversion(let byte) = fault { byte == 0 || ![1, 3].contains(exchange) } else { true }
  }

  @Test("succeeds if any one exchange fails in any way", arguments: ways)
  func oneFault(way: ExchangeFault) async throws {
    for exchange in 1...17 where isTellable(way, at: exchange) {
      let report = await ScanRunner.run(on: tag([exchange: way]))
      #expect(report.failure == nil, "exchange \(exchange)")
      #expect(report.image == Self.image(Self.before), "exchange \(exchange)")
      // At most the two blocks with the minute and then the whole body are read again.
      #expect((17...17 + 2 + 13).contains(report.meter.exchanges), "exchange \(exchange)")
    }
  }

  @Test("ends with a clean error or correct data if every exchange fails from some point on", arguments: ways)
  func lastingFault(way: ExchangeFault) async throws {
    for exchange in 1...17 where isTellable(way, at: exchange) {
      let faults = Dictionary(uniqueKeysWithValues: (exchange...2_000).map { ($0, way) })
      let report = await ScanRunner.run(on: tag(faults))
      try expectTruth(report.image, "exchange \(exchange)")
      #expect(report.meter.exchanges < 500, "exchange \(exchange)")
      let succeeded = try report.failure == nil && isWhole(report.image)
      #expect(!succeeded, "exchange \(exchange)")
    }
  }

  @Test("gives data of a single minute, old or new, at whatever exchange the minute changes")
  func tick() async throws {
    var mended = 0
    for tick in 1...18 {
      let report = await ScanRunner.run(on: tag(ticksAt: tick))
      #expect(report.failure == nil)
      #expect(try isWhole(report.image), "tick at exchange \(tick)")
      try expectTruth(report.image, "tick at exchange \(tick)")
      if report.meter.exchanges > 17 { mended += 1 }
      // Two blocks contain the minute, and the new records are in three.
      #expect(report.meter.exchanges <= 17 + 2 + 2, "tick at exchange \(tick)")
    }
    #expect(mended > 5)
  }

  @Test("gives correct data or an error in two hundred random fault runs with a changing minute")
  func storms() async throws {
    var wholes = 0
    var failures = 0
    for seed in UInt64(1)...200 {
      var draws = SplitMix64(seed: seed)
      let storm = FaultyReader(
        tag(ticksAt: draws.number(1...60)), oneIn: UInt64(draws.number(2...9)), generator: draws.branch(0))
      let report = await ScanRunner.run(on: storm)
      try expectTruth(report.image, "seed \(seed)")
      if report.failure != nil { failures += 1 } else if try isWhole(report.image) { wholes += 1 }
    }
    #expect(wholes > 50, "\(wholes) of 200 read, \(failures) failed")
    #expect(failures > 10, "\(wholes) of 200 read, \(failures) failed")
  }
}
