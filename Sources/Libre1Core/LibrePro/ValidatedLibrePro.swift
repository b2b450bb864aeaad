// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A Libre Pro memory whose body was checked, as `ValidatedFRAM` is. Samples have counts, temperature and quality, but
/// no concentration, because the calibration's i2 is not known (`LibreProMap`).
package struct ValidatedLibrePro: Sendable {
  /// The bytes from offset 0: 176, and the part of the history that the source has.
  private let bytes: [UInt8]
  private let missingBlocks: Set<Int>
  package let integrity: MemoryIntegrity
  package let isSalvaged: Bool

  package let state: SensorState
  package let ageMinutes: Int
  /// The trend slot that is written next, 0…15.
  package let trendIndex: Int
  /// The number of history records that the sensor has written, 0…1344. The memory may hold fewer.
  package let historyCount: Int

  package let region: SensorRegion?
  /// The maximum life in minutes: 20 160, fourteen days, on all known sensors.
  package let maxLifeMinutes: Int?
  /// The minimum of a usable signal in counts; 150 if the footer is not trusted.
  package let minimumRawGlucose: Int
  private let thermistor: Thermistor?

  /// The body is never `torn`: its checksum, its age and its indices are in one block, so they are always of the same
  /// minute. With `salvaging` a body with a wrong checksum is accepted and marked so, if its first block is there.
  /// Throws `ringIndexOutOfRange` also for more history records than quarters of an hour in fourteen days or in the
  /// age.
  package init(_ memory: CheckedMemory, salvaging: Bool = false) throws(MemoryError) {
    let bytes = memory.image.bytes
    guard bytes.count >= LibreProMap.byteCount else {
      throw .wrongLength(found: bytes.count, needed: LibreProMap.byteCount)
    }
    self.bytes = bytes
    missingBlocks = Set(memory.image.missingBlocks)
    integrity = memory.integrity(in: LibreProMap.geometry)
    isSalvaged = !integrity.body.isTrusted
    // These offsets come from `LibreProMap`, so they are never outside.
    let span = bytes.span
    state = integrity.header.isTrusted ? SensorState(span.byte(LibreProMap.state)) : .unknown(nil)
    ageMinutes = Int(span.short(at: LibreProMap.age))
    trendIndex = Int(span.short(at: LibreProMap.trendIndex))
    historyCount = Int(span.short(at: LibreProMap.historyCount))
    let footer = integrity.footer.isTrusted
    region = footer ? SensorRegion(span.byte(LibreProMap.region)) : nil
    maxLifeMinutes = footer ? Int(span.short(at: LibreProMap.maxLife)) : nil
    minimumRawGlucose =
      footer ? Int(span.byte(LibreProMap.minimumRawGlucose)) : SampleRules.usualMinimumRawGlucose
    thermistor = footer ? Thermistor(i6: span.value(of: LibreProMap.i6)) : nil

    try LibreProMap.body.require(integrity.body, age: LibreProMap.age, salvaging: salvaging)
    try LibreProMap.trend.requireSlot(trendIndex, of: .trend)
    let possible = min(LibreProMap.history.slots, ageMinutes / LibreProMap.history.minutesPerSlot)
    guard historyCount <= possible else {
      throw .ringIndexOutOfRange(ring: .history, index: historyCount, slots: possible)
    }
  }

  /// The serial number of the reader that started the sensor (read: DiaBLE), such as `JAAA000-T0000A`. nil if the
  /// header is not trusted or a character is not printable.
  package var text: String? {
    let place = LibreProMap.text
    let characters = bytes[place.offset..<place.offset + place.count]
    guard integrity.header.isTrusted, characters.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    return String(decoding: characters, as: UTF8.self)
  }

  /// The log as on a Libre 1 (derived: one ended sensor has `{4, 20160}`); empty if the header is not trusted.
  package var endOfLife: [EndOfLifeEntry] {
    integrity.header.isTrusted ? EndOfLifeLog.entries(in: bytes.span) : []
  }

  /// Only in state `failure` (read: DiaBLE).
  package var failure: SensorFailure? { state == .failure ? EndOfLifeLog.failure(in: bytes.span) : nil }

  /// The minute as on a Libre 1 (derived; it is the age or one minute less on five of five memories).
  package var newestTrendMinute: SensorMinute {
    SensorMinute(ageMinutes - Integers.floorMod(ageMinutes - trendIndex, LibreProMap.trend.slots))
  }

  // MARK: Samples

  /// Up to 16 samples, one a minute, newest first.
  package var trend: [GlucoseSample] {
    let ring = Ring(layout: LibreProMap.trend, nextSlot: trendIndex)
    return samples(
      (0..<LibreProMap.trend.slots).compactMap { index in
        let minute = SensorMinute(newestTrendMinute.value - index)
        return minute.value < 1
          ? nil : record(at: ring.bytes(newest: index).lowerBound)?.sample(ring: .trend, minute: minute)
      })
  }

  /// Up to 1344 samples, one every 15 minutes, newest first. No checksum covers them. Record k, from 0, is of minute
  /// 15 (k + 1) (derived, and verified on the one whole public memory: Libre1Core/MemoryFormat, "Libre Pro").
  package var history: [GlucoseSample] {
    samples(
      (0..<historyCount).reversed().compactMap { index in
        let minute = SensorMinute((index + 1) * LibreProMap.history.minutesPerSlot)
        return historyRecord(index)?.sample(ring: .history, minute: minute)
      })
  }

  /// True if the bytes are whole blocks that hold all records of the history, and no more than NFC can reach.
  package var hasWholeHistory: Bool {
    let blocks = LibreProMap.historyBlocks(count: historyCount).upperBound...LibreProMap.geometry.fullBlockCount
    return bytes.count.isMultiple(of: MemoryMap.blockSize) && blocks.contains(bytes.count / MemoryMap.blockSize)
  }

  package var problems: [ReadingProblem] {
    var problems: [ReadingProblem] = []
    if isSalvaged { problems.append(.salvaged) }
    problems.append(.concentrationWithheld)
    if !integrity.header.isTrusted { problems.append(.headerNotTrusted(integrity.header)) }
    if !integrity.footer.isTrusted { problems.append(.footerNotTrusted(integrity.footer)) }
    let records = (0..<historyCount).count { historyRecord($0) != nil }
    if records < historyCount { problems.append(.historyIncomplete(records: records, of: historyCount)) }
    if case .unknown(let raw?) = state { problems.append(.unknownState(raw)) }
    return problems
  }

  private func samples(_ raws: [RawSample]) -> [GlucoseSample] {
    let celsius = thermistor?.celsius(of: raws) ?? raws.map { _ in .nan }
    let rules = SampleRules(minimumRawGlucose: minimumRawGlucose, hasThermistor: thermistor != nil)
    return zip(raws, celsius).map { rules.sample($0, celsius: $1, milligramsPerDecilitre: .nan) }
  }

  private func historyRecord(_ index: Int) -> MeasurementRecord? {
    record(at: LibreProMap.history.offset + index * MemoryMap.Record.byteCount)
  }

  /// nil if the source lacks some of the record's bytes.
  private func record(at offset: Int) -> MeasurementRecord? {
    let place = offset..<offset + MemoryMap.Record.byteCount
    let blocks = place.lowerBound / MemoryMap.blockSize...(place.upperBound - 1) / MemoryMap.blockSize
    guard place.upperBound <= bytes.count, !blocks.contains(where: missingBlocks.contains) else { return nil }
    return MeasurementRecord(bits: bytes[place].reversed().reduce(0) { $0 << 8 | UInt64($1) })
  }
}
