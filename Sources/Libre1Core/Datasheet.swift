// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The memory map for people, as `libre inspect` prints it next to the bytes.
package enum Datasheet {
  package enum Confidence: String, Hashable, Sendable, CaseIterable {
    /// Found in published code.
    case read
    /// Found in published code, and checked on real memories.
    case verified
    /// Not published; concluded from real memories.
    case derived
    case unknown
  }

  package struct Entry: Sendable {
    package let bytes: Range<Int>
    package let name: String
    package let confidence: Confidence
    package let slot: Slot?
    private let show: @Sendable (FRAM) -> String

    init(
      _ bytes: Range<Int>, _ name: String, _ confidence: Confidence, slot: Slot? = nil,
      show: @escaping @Sendable (FRAM) -> String = { _ in "" }
    ) {
      self.bytes = bytes
      self.name = name
      self.confidence = confidence
      self.slot = slot
      self.show = show
    }

    /// The meaning of the bytes in this memory, even if their checksum is wrong.
    package func value(in fram: FRAM) -> String { show(fram) }
  }

  package struct Slot: Hashable, Sendable {
    package let ring: SampleRing
    /// 0…15 of the trend, 0…31 of the history.
    package let number: Int

    /// The record in this place with its minute, which is nil if the memory does not show it.
    package func record(in fram: FRAM) -> (record: MeasurementRecord, minute: Int?) {
      let layout = ring == .trend ? MemoryMap.trend : MemoryMap.history
      let offset = layout.offset + number * MemoryMap.Record.byteCount
      return (MeasurementRecord(bits: fram.recordBits(at: offset)), minute(in: fram, layout))
    }

    private func minute(in fram: FRAM, _ layout: RingLayout) -> Int? {
      guard let memory = try? fram.validated(salvaging: true), let next = memory.slots(of: ring)?.nextSlot else {
        return nil
      }
      let timeline = memory.timeline
      guard let newest = ring == .trend ? timeline.newestTrendMinute : timeline.newestHistoryMinute else { return nil }
      let minute = newest.value - Integers.floorMod(next - 1 - number, layout.slots) * layout.minutesPerSlot
      return minute > 0 ? minute : nil
    }
  }

  /// All 344 bytes in order, without gaps.
  package static let entries: [Entry] = header + body + footer

  private static let header: [Entry] =
    [
      checksum(of: MemoryMap.header),
      Entry(MemoryMap.i1.offset..<MemoryMap.state, "calibration i1, i2; log count", .verified) {
        "i1 \($0.value(of: MemoryMap.i1)), i2 \($0.value(of: MemoryMap.i2)), \($0.value(of: MemoryMap.endOfLifeCount)) log entries"
      },
      byte(MemoryMap.state, "state", .verified) { "\($0) \(SensorState($0).name)" },
      byte(MemoryMap.activity, "activity", .unknown),
    ]
    + (0..<MemoryMap.endOfLifeLog.capacity).map { index in
      let log = MemoryMap.endOfLifeLog
      let offset = log.offset + index * log.stride
      return Entry(offset..<offset + log.stride, "log entry \(index)", .derived) { fram in
        let code = fram.byte(offset)
        let minute = fram.number(at: offset + 1)
        if code == 0 && minute == 0 { return "" }
        return SensorState(fram.byte(MemoryMap.state)) == .failure
          ? "code \(code) at minute \(minute)" : "left \(SensorState(code).name) at minute \(minute)"
      }
    }

  private static let body: [Entry] =
    [
      checksum(of: MemoryMap.body),
      byte(MemoryMap.trendIndex, "trend index", .verified) { "next slot to write: \($0)" },
      byte(MemoryMap.historyIndex, "history index", .verified) { "next slot to write: \($0)" },
    ] + slots(of: .trend, MemoryMap.trend) + slots(of: .history, MemoryMap.history) + [
      number(MemoryMap.age..<MemoryMap.initializations, "age", .verified, unit: " minutes"),
      byte(MemoryMap.initializations, "initializations", .verified),
      byte(MemoryMap.bodyPadding, "zero", .unknown) { _ in "" },
    ]

  private static let footer: [Entry] = [
    checksum(of: MemoryMap.footer),
    byte(MemoryMap.familyByte, "family, as patch info byte 2", .verified) { HexText.string(of: $0) },
    byte(MemoryMap.region, "region, as patch info byte 3", .verified) { SensorRegion($0).name },
    number(MemoryMap.lot..<MemoryMap.maxLife, "increases with the production date", .unknown),
    number(MemoryMap.maxLife..<MemoryMap.fingerprint.offset, "maximum life", .verified, unit: " minutes"),
    Entry(MemoryMap.fingerprint.offset..<MemoryMap.minimumRawGlucose, "constants of the product", .verified),
    byte(MemoryMap.minimumRawGlucose, "minimum usable signal", .read) { "\($0) counts" },
    Entry(MemoryMap.minimumRawGlucose + 1..<MemoryMap.maximumDelta, "constant of the product", .unknown),
    byte(MemoryMap.maximumDelta, "maximum step between measurements", .read) { "\($0) counts" },
    Entry(MemoryMap.maximumDelta + 1..<MemoryMap.calibration.offset, "constants of the product", .verified),
    Entry(
      MemoryMap.calibration.offset..<MemoryMap.calibration.offset + MemoryMap.calibration.count, "calibration i3…i6",
      .verified
    ) {
      let numbers = CalibrationParameters($0.bytes.span)
      return "i3 \(numbers.i3), i4 \(numbers.i4), i5 \(numbers.i5), i6 \(numbers.i6)"
    },
  ]

  private static func byte(
    _ offset: Int, _ name: String, _ confidence: Confidence,
    show: @escaping @Sendable (UInt8) -> String = { "\($0)" }
  ) -> Entry {
    Entry(offset..<offset + 1, name, confidence) { show($0.byte(offset)) }
  }

  private static func number(
    _ bytes: Range<Int>, _ name: String, _ confidence: Confidence, unit: String = ""
  ) -> Entry {
    Entry(bytes, name, confidence) { "\($0.number(at: bytes.lowerBound))\(unit)" }
  }

  private static func checksum(of region: MemoryMap.Region) -> Entry {
    Entry(region.start..<region.covered.lowerBound, "checksum", .verified) {
      let (stored, computed) = region.checksums(in: $0.bytes.span)
      let text = HexText.string(of: stored)
      return stored == computed ? "\(text), correct" : "\(text), wrong: computed \(HexText.string(of: computed))"
    }
  }

  private static func slots(of ring: SampleRing, _ layout: RingLayout) -> [Entry] {
    (0..<layout.slots).map { number in
      let slot = Slot(ring: ring, number: number)
      let offset = layout.offset + number * MemoryMap.Record.byteCount
      return Entry(
        offset..<offset + MemoryMap.Record.byteCount, "\(ring.rawValue) slot \(number)", .verified, slot: slot
      ) { fram in
        let (record, minute) = slot.record(in: fram)
        if record.isNeverWritten { return "never written" }
        return (minute.map { "minute \($0): " } ?? "") + text(of: record)
      }
    }
  }

  private static func text(of record: MeasurementRecord) -> String {
    let errors = MeasurementError(rawValue: UInt16(record.errorField & 0x1FF)).names.joined(separator: ", ")
    return "\(record.glucose) counts, temperature \(record.temperature), adjustment \(record.temperatureAdjustment)"
      + (record.hasError ? ", error: \(errors)" : "")
  }
}
