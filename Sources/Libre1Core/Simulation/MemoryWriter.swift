// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The inverse of the decoder: it builds a memory with correct checksums from values.
///
/// It accepts any combination of values, even impossible ones; `SimulatedSensor` has the rules of a sensor's life.
/// Numbers too large for their field lose their highest bits. A wrong number of slots, log entries or fingerprint bytes
/// traps. A new writer holds the memory of a new sensor.
package struct MemoryWriter: Hashable, Sendable {
  // Header

  /// 1 not activated … 6 failure.
  package var state: UInt8 = 1
  /// 1 was seen on one sensor that had been reset and started again; meaning unknown.
  package var activity: UInt8 = 0
  /// The states the sensor left, at most six. A state of `unknown(nil)` is written as 0.
  package var endOfLife: [EndOfLifeEntry] = []
  /// The failure, which replaces the first log entry. The log then counts one entry, which is a guess, because no
  /// memory in state 6 is known.
  package var failure: SensorFailure?

  // Body

  /// The slot written next; `setTrend` computes it.
  package var trendIndex: UInt8 = 0
  /// The slot written next; `setHistory` computes it.
  package var historyIndex: UInt8 = 0
  /// Records in the order of the slots, as `history`.
  package var trend = [RecordFields](repeating: .neverWritten, count: MemoryMap.trend.slots)
  package var history = [RecordFields](repeating: .neverWritten, count: MemoryMap.history.slots)
  package var ageMinutes = 0
  package var initializations: UInt8 = 0

  // Footer

  /// Repeats patch info byte 2.
  package var familyByte: UInt8 = 0
  /// Repeats patch info byte 3.
  package var region: UInt8 = 1
  /// Increases with the date of production (Libre1Core/MemoryFormat, "Footer").
  package var batch: UInt16 = 2000
  package var maxLifeMinutes = 20_800
  /// Eight constants of the product, including the thresholds.
  package var fingerprint = FooterFingerprint.libre1
  /// The calibration's 64 bits before the known fields are set; their meaning is not known. The eleven bits above i4
  /// are those that good records have in their error field: 320 on a Libre 1, another number in 2014, 0 on a Libre 2;
  /// the bit above i3's sign is set on a Libre 1 only (derived; 108 reference memories without exception).
  package var unexplainedCalibrationBits: UInt64 = 0x0000_0004_C800_0000

  // Calibration, in header (i1, i2) and footer

  package var i1 = 0
  package var i2 = 700
  package var i3 = 16
  package var i4 = 6800
  package var i5 = 8800
  package var i6 = 6600

  package init() {}

  package var calibration: CalibrationParameters {
    get { CalibrationParameters(i1: i1, i2: i2, i3: i3, i4: i4, i5: i5, i6: i6) }
    set { (i1, i2, i3, i4, i5, i6) = (newValue.i1, newValue.i2, newValue.i3, newValue.i4, newValue.i5, newValue.i6) }
  }

  /// Fills the trend with the records up to `newestMinute`, and sets its index.
  package mutating func setTrend(newestMinute: Int, record: (Int) -> RecordFields) {
    (trend, trendIndex) = Self.ring(MemoryMap.trend, newestMinute: newestMinute, record: record)
  }

  /// Fills the history with the records up to `newestMinute`, a multiple of 15, and sets its index.
  package mutating func setHistory(newestMinute: Int, record: (Int) -> RecordFields) {
    (history, historyIndex) = Self.ring(MemoryMap.history, newestMinute: newestMinute, record: record)
  }

  /// Slot k holds a minute m with m / step ≡ k + 1, so the next slot has the newest number. Slots for minutes before
  /// the first stay never written.
  private static func ring(
    _ layout: RingLayout, newestMinute: Int, record: (Int) -> RecordFields
  ) -> ([RecordFields], UInt8) {
    precondition(newestMinute >= 0 && newestMinute.isMultiple(of: layout.minutesPerSlot))
    let newest = newestMinute / layout.minutesPerSlot
    var slots = [RecordFields](repeating: .neverWritten, count: layout.slots)
    if newest > 0 {
      for number in max(1, newest - layout.slots + 1)...newest {
        slots[(number - 1) % layout.slots] = record(number * layout.minutesPerSlot)
      }
    }
    return (slots, UInt8(newest % layout.slots))
  }

  /// The 344 bytes, with the three checksums.
  package func memory() -> [UInt8] {
    precondition(trend.count == MemoryMap.trend.slots && history.count == MemoryMap.history.slots)
    precondition(endOfLife.count <= MemoryMap.endOfLifeLog.capacity && (failure == nil || endOfLife.isEmpty))
    precondition(fingerprint.count == MemoryMap.fingerprint.count)
    var bytes = [UInt8](repeating: 0, count: MemoryMap.byteCount)
    writeHeader(to: &bytes)
    writeBody(to: &bytes)
    writeFooter(to: &bytes)
    for region in MemoryMap.regions { bytes.seal(region.bytes) }
    return bytes
  }

  /// The 1952 bytes that NFC can reach: `memory()`, an invented code section and patch table. The code is not a
  /// program: only its place and checksum are as on a sensor (Libre1Core/MemoryFormat, "Regions").
  package func fullMemory() -> [UInt8] {
    let invented = (MemoryMap.byteCount..<MemoryMap.fullByteCount).map { UInt8(truncatingIfNeeded: 7 * $0) }
    var bytes = memory() + invented
    bytes.seal(MemoryMap.code.bytes)
    return bytes
  }

  private func writeHeader(to bytes: inout [UInt8]) {
    let log =
      failure.map { [(code: $0.code, minute: $0.minute)] }
      ?? endOfLife.map { (code: $0.leftState.raw ?? 0, minute: $0.minute) }
    var word = MemoryMap.i1.setting(i1, in: 0)
    word = MemoryMap.i2.setting(i2, in: word)
    word = MemoryMap.endOfLifeCount.setting(log.count, in: word)
    bytes.store(word, at: MemoryMap.i1.offset, count: 2)
    bytes[MemoryMap.state] = state
    bytes[MemoryMap.activity] = activity
    for (index, entry) in log.enumerated() {
      let offset = MemoryMap.endOfLifeLog.offset + index * MemoryMap.endOfLifeLog.stride
      bytes[offset] = entry.code
      bytes.store(UInt64(truncatingIfNeeded: entry.minute.value), at: offset + 1, count: 2)
    }
  }

  private func writeBody(to bytes: inout [UInt8]) {
    bytes[MemoryMap.trendIndex] = trendIndex
    bytes[MemoryMap.historyIndex] = historyIndex
    bytes.store(trend, in: MemoryMap.trend)
    bytes.store(history, in: MemoryMap.history)
    bytes.storeAge(ageMinutes)
    bytes[MemoryMap.initializations] = initializations
  }

  private func writeFooter(to bytes: inout [UInt8]) {
    bytes[MemoryMap.familyByte] = familyByte
    bytes[MemoryMap.region] = region
    bytes.store(UInt64(batch), at: MemoryMap.lot, count: 2)
    bytes.store(UInt64(truncatingIfNeeded: maxLifeMinutes), at: MemoryMap.maxLife, count: 2)
    bytes.store(fingerprint, at: MemoryMap.fingerprint.offset)
    bytes.store(calibrationBits, at: MemoryMap.i3Magnitude.offset, count: 8)
  }

  /// The bits of i3…i6 in the footer.
  var calibrationBits: UInt64 {
    let fields = [
      (MemoryMap.i3Magnitude, abs(i3)), (MemoryMap.i3IsNegative, i3 < 0 ? 1 : 0), (MemoryMap.i4, i4),
      (MemoryMap.i5, i5), (MemoryMap.i6, i6),
    ]
    return fields.reduce(unexplainedCalibrationBits) { $1.0.setting($1.1, in: $0) }
  }
}

extension [UInt8] {
  /// Writes the low `count` bytes of `word`, lowest first.
  mutating func store(_ word: UInt64, at offset: Int, count: Int) {
    for index in 0..<count { self[offset + index] = UInt8(truncatingIfNeeded: word >> UInt64(8 * index)) }
  }

  mutating func storeAge(_ minutes: Int) { store(UInt64(truncatingIfNeeded: minutes), at: MemoryMap.age, count: 2) }

  mutating func store(_ bytes: some Sequence<UInt8>, at offset: Int) {
    for (index, byte) in bytes.enumerated() { self[offset + index] = byte }
  }

  mutating func store(_ records: some Sequence<RecordFields>, in ring: RingLayout) {
    let size = MemoryMap.Record.byteCount
    for (slot, record) in records.enumerated() { store(record.bits, at: ring.offset + slot * size, count: size) }
  }

  /// Writes the checksum of a region into its first two bytes.
  fileprivate mutating func seal(_ region: Range<Int>) {
    let covered = region.dropFirst(2)
    let checksum = CRC16.checksum(span.extracting(covered))
    store(UInt64(checksum), at: region.lowerBound, count: 2)
  }
}

/// The fields of one six-byte record, before they are packed: the counterpart of `MeasurementRecord`. Of any number the
/// highest bits that do not fit are lost, as in the sensor's own registers.
package struct RecordFields: Hashable, Sendable {
  /// 0…16383 counts.
  package var glucose: Int
  /// 0…16380 in steps of 4.
  package var temperature: Int
  /// −2044…2044 in steps of 4.
  package var temperatureAdjustment: Int
  package var hasError: Bool
  /// 0…2047.
  package var errorField: Int

  /// A record; by default one without error of a Libre 1 since about 2016, whose error field is always 0x320
  /// (Libre1Core/MemoryFormat, "Error field").
  package init(
    glucose: Int, temperature: Int, temperatureAdjustment: Int = 0, hasError: Bool = false, errorField: Int = 0x320
  ) {
    self.glucose = glucose
    self.temperature = temperature
    self.temperatureAdjustment = temperatureAdjustment
    self.hasError = hasError
    self.errorField = errorField
  }

  package init(_ record: MeasurementRecord) {
    self.init(
      glucose: record.glucose, temperature: record.temperature, temperatureAdjustment: record.temperatureAdjustment,
      hasError: record.hasError, errorField: record.errorField)
  }

  /// Six zero bytes: a slot that the sensor has not reached yet.
  package static let neverWritten = RecordFields(glucose: 0, temperature: 0, errorField: 0)

  /// The record's 48 bits; the upper 16 are zero.
  package var bits: UInt64 {
    typealias Field = MemoryMap.Record
    let fields = [
      (Field.glucose, glucose), (Field.errorField, errorField), (Field.hasError, hasError ? 1 : 0),
      (Field.temperature, temperature), (Field.adjustmentMagnitude, abs(temperatureAdjustment)),
      (Field.adjustmentIsNegative, temperatureAdjustment < 0 ? 1 : 0),
    ]
    return fields.reduce(0) { $1.0.setting($1.1, in: $0) }
  }
}

enum LibreProMemory {
  /// The patch info of a Pro, with invented last bytes.
  static let patchInfo = PatchInfo([0x70, 0x00, 0x10, 0x00, 0x00, 0x00])
  static let maxLifeMinutes = 20_160

  /// Returns the 176 bytes with checksums, then the history up to this age, in whole blocks.
  static func bytes(of sensor: SimulatedSensor, atAge age: Int) -> [UInt8] {
    let mirror = sensor.writer(atAge: age)
    // A history record is written when the trend is two minutes past it, and not after the maximum life.
    let historyCount = max(min(age - 1 - 2, maxLifeMinutes), 0) / 15
    let history = LibreProMap.historyBlocks(count: historyCount)
    var bytes = [UInt8](repeating: 0, count: history.upperBound * MemoryMap.blockSize)
    bytes[LibreProMap.state] = mirror.state
    bytes.store("SIMU000-T00000".utf8, at: LibreProMap.text.offset)
    bytes[LibreProMap.familyByte] = 0x10
    bytes.store(UInt64(maxLifeMinutes), at: LibreProMap.maxLife, count: 2)
    bytes.store(LibreProMap.constants.bytes, at: LibreProMap.constants.offset)
    bytes.store(mirror.calibrationBits, at: LibreProMap.calibration, count: 8)
    bytes.store(UInt64(age), at: LibreProMap.age, count: 2)
    bytes.store(UInt64(mirror.trendIndex), at: LibreProMap.trendIndex, count: 2)
    bytes.store(UInt64(historyCount), at: LibreProMap.historyCount, count: 2)
    bytes.store(mirror.trend, in: LibreProMap.trend)
    bytes.store((0..<historyCount).map { sensor.historyRecord(minute: 15 * ($0 + 1)) }, in: LibreProMap.history)
    for region in LibreProMap.geometry.regions { bytes.seal(region.bytes) }
    return bytes
  }
}
