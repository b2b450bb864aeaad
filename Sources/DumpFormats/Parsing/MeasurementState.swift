// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// The records of the newest scan in LibreLink's column `sensors.measurementState` (DumpFormats/Formats, "Records
/// without a memory").
///
/// The position of the records in the blob and their order are not known, so they are recognised: sixteen records of
/// consecutive minutes, and 32 of every fifteenth minute, in the order of the minutes or of a ring. A younger sensor's
/// history has fewer, from minute 15 on, and zeros for the rest. Each record must also fit into a record of a sensor's
/// memory, so that other bytes are not taken for records by chance.
struct MeasurementState {
  /// Newest first, as `history`.
  private(set) var trend: [Record] = []
  private(set) var history: [Record] = []

  /// Throws `recordsNotRecognised` without both runs, and with two different ones.
  init(_ blob: [UInt8], column: String) throws(DumpError) {
    let (trendRing, historyRing) = (MemoryMap.trend, MemoryMap.history)
    func only(_ runs: Set<[Record]>) throws(DumpError) -> [Record]? {
      if runs.count > 1 { throw .recordsNotRecognised(column: column, areSeveral: true) }
      return runs.first
    }
    let absent = DumpError.recordsNotRecognised(column: column, areSeveral: false)
    guard let trend = try only(Self.runs(of: trendRing, in: blob)), let newest = trend.first?.minute else {
      throw absent
    }
    self.trend = trend
    if let history = try only(Self.runs(of: historyRing, until: newest, in: blob)) {
      self.history = history
      return
    }
    // The record of a quarter of an hour is written some minutes after it.
    let quarter = newest / historyRing.minutesPerSlot
    for count in [quarter, quarter - 1] where (1..<historyRing.slots).contains(count) {
      if let history = try only(Self.beginnings(of: historyRing, count: count, in: blob)) {
        self.history = history
        return
      }
    }
    // No record is written yet.
    if quarter > 1 { throw absent }
  }

  /// The runs of a full ring that end with the minute `last` or before it.
  private static func runs(of ring: RingLayout, until last: Int = .max, in blob: [UInt8]) -> Set<[Record]> {
    // The minutes from a record to the next one, and those from the last slot of a ring to the first.
    let (step, jump) = (ring.minutesPerSlot, (ring.slots - 1) * ring.minutesPerSlot)
    return windows(of: ring.slots, in: blob) { records, next in
      guard next.minute > 0, next.minute <= last, next.minute.isMultiple(of: step) else { return false }
      guard let before = records.last else { return true }
      return [step, -step, jump, -jump].contains(next.minute - before.minute)
    } isWhole: { records, _ in
      let steps = records.indices.map { records[($0 + 1) % records.count].minute - records[$0].minute }
      return steps.allSatisfy([step, -jump].contains) || steps.allSatisfy([-step, jump].contains)
    }
  }

  /// Runs with records in the first `count` slots only. Zeros for the other slots follow or precede them.
  private static func beginnings(of ring: RingLayout, count: Int, in blob: [UInt8]) -> Set<[Record]> {
    func minute(_ index: Int) -> Int { (index + 1) * ring.minutesPerSlot }
    let zeros = (ring.slots - count) * Record.byteCount
    func areZero(_ bytes: Range<Int>) -> Bool {
      bytes.lowerBound >= 0 && bytes.upperBound <= blob.count && blob[bytes].allSatisfy { $0 == 0 }
    }
    return windows(of: count, in: blob) { records, next in
      guard next.temperature > 0 else { return false }
      let (upward, downward) = (minute(records.count), minute(count - 1 - records.count))
      guard let first = records.first?.minute else { return next.minute == upward || next.minute == downward }
      return next.minute == (first == minute(0) ? upward : downward)
    } isWhole: { _, bytes in
      areZero(bytes.upperBound..<bytes.upperBound + zeros) || areZero(bytes.lowerBound - zeros..<bytes.lowerBound)
    }
  }

  /// Newest first. Two different ones are enough to know that there are several.
  private static func windows(
    of count: Int, in blob: [UInt8], mayFollow: ([Record], Record) -> Bool,
    isWhole: ([Record], Range<Int>) -> Bool
  ) -> Set<[Record]> {
    var runs: Set<[Record]> = []
    var start = 0
    while start + count * Record.byteCount <= blob.count, runs.count < 2 {
      defer { start += 1 }
      var records: [Record] = []
      while records.count < count, let record = Record(blob, at: start + records.count * Record.byteCount),
        mayFollow(records, record)
      {
        records.append(record)
      }
      guard records.count == count, isWhole(records, start..<start + count * Record.byteCount) else { continue }
      runs.insert(records.sorted { $0.minute > $1.minute })
    }
    return runs
  }

  struct Record: Hashable {
    static let byteCount = 10

    let minute: Int
    let glucose: UInt16
    let temperature: UInt16
    let adjustment: Int16
    let flags: UInt16

    /// Reads a record; nil for numbers that a record of a sensor's memory cannot have.
    init?(_ blob: [UInt8], at offset: Int) {
      func word(_ index: Int) -> UInt16 { UInt16(blob[offset + index]) | UInt16(blob[offset + index + 1]) << 8 }
      minute = Int(word(0))
      glucose = word(2)
      temperature = word(4)
      adjustment = Int16(bitPattern: word(6))
      flags = word(8)
      typealias Field = MemoryMap.Record
      guard Field.glucose.holds(Int(glucose)), Field.temperature.holds(Int(temperature)),
        Field.adjustmentMagnitude.holds(Int(adjustment.magnitude))
      else { return nil }
    }

    func sample(_ ring: SampleRing) -> RawSample {
      RawSample(
        ring: ring, minute: SensorMinute(minute), glucose: glucose, temperature: temperature,
        temperatureAdjustment: adjustment, hasError: flags != 0, errorField: nil, isNeverWritten: false)
    }

    var bytes: [UInt8] {
      [UInt16(truncatingIfNeeded: minute), glucose, temperature, UInt16(bitPattern: adjustment), flags].flatMap {
        [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
      }
    }
  }
}

extension BitField {
  /// True if the field can hold this number, which is not negative.
  fileprivate func holds(_ value: Int) -> Bool {
    value.isMultiple(of: scale) && value / scale < 1 << width
  }
}

extension AppRecords {
  /// The age is that of the newest record or, if the scan has that number, the minute after it.
  init(_ state: MeasurementState, sampleNumber: Int?) {
    let newest = state.trend[0].minute
    self.init(
      trend: state.trend.map { $0.sample(.trend) }, history: state.history.map { $0.sample(.history) },
      ageMinutes: sampleNumber.flatMap { $0 == newest + 1 ? $0 : nil } ?? newest,
      bytes: (state.trend + state.history).flatMap(\.bytes))
  }

  /// True unless the app's number for a scan, the sensor's minute, is that of another scan.
  func areOfScan(_ sampleNumber: Int?) -> Bool { sampleNumber.map { $0 == ageMinutes } ?? true }
}
