// SPDX-License-Identifier: Apache-2.0
package import Libre1Core

/// The tables of LibreLink's database that libre reads, as SQL: the columns of version 8 that libre reads or that are NOT
/// NULL there, and one sensor. (read: LBridgeApp/LBridge, `LibreLinkDatabase.java`, `SensorRow.java`.)
package enum LibreLinkTables {
  package static let sql = """
    CREATE TABLE sensors (sensorId INTEGER PRIMARY KEY AUTOINCREMENT, serialNumber VARCHAR NOT NULL,
      uniqueIdentifier BLOB NOT NULL, initialPatchInformation BLOB, lastScanSampleNumber INTEGER,
      lastScanTimestampUTC BIGINT, measurementState BLOB);
    CREATE TABLE rawScans (patchInfo BLOB NOT NULL, payload BLOB NOT NULL, scanId INTEGER PRIMARY KEY AUTOINCREMENT,
      sensorId INTEGER NOT NULL, timestampUTC BIGINT NOT NULL);
    CREATE TABLE historicReadings (glucoseValue `DOUBLE PRECISION` NOT NULL, readingId INTEGER PRIMARY KEY AUTOINCREMENT,
      sampleNumber INTEGER NOT NULL, sensorId INTEGER NOT NULL, timestampUTC BIGINT NOT NULL);
    CREATE TABLE historicErrors (dataQuality INTEGER NOT NULL, errorId INTEGER PRIMARY KEY AUTOINCREMENT,
      sampleNumber INTEGER NOT NULL, sensorId INTEGER NOT NULL, timestampUTC BIGINT NOT NULL);
    CREATE TABLE realTimeReadings (glucoseValue `DOUBLE PRECISION` NOT NULL, readingId INTEGER PRIMARY KEY AUTOINCREMENT,
      sensorId INTEGER NOT NULL, timestampUTC BIGINT NOT NULL);
    INSERT INTO sensors (serialNumber, uniqueIdentifier) VALUES ('0M00028U5DW', x'6745230100A007E0');
    """
}

/// A value of LibreLink's column `sensors.measurementState`: records in ten bytes each, somewhere among others.
///
/// The length of the true blob and the form of a record are known. The position of the records, their order and all other
/// bytes are invented.
package struct LibreLinkState: Sendable {
  package enum Order: Sendable, CaseIterable {
    case ring, oldestFirst, newestFirst
  }

  package private(set) var bytes = (0..<13_664).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }

  /// A blob without records.
  package init() {}

  /// The records of a sensor whose newest trend record is of a minute.
  package init(_ sensor: SimulatedSensor, newestTrend: Int, newestHistory: Int, order: Order = .ring) {
    add(sensor.trendRecord, newest: newestTrend, slots: 16, every: 1, order, at: 1_234)
    add(sensor.historyRecord, newest: newestHistory, slots: 32, every: 15, order, at: 5_001)
  }

  /// Writes the records of a ring; those of minutes before its first are zero.
  package mutating func add(
    _ record: (_ minute: Int) -> RecordFields, newest: Int, slots: Int, every step: Int, _ order: Order, at offset: Int
  ) {
    let minutes = (0..<slots).map { newest - $0 * step }.filter { $0 > 0 }
    for slot in 0..<slots {
      let minute: Int? =
        switch order {
        case .ring: minutes.first { ($0 / step - 1) % slots == slot }
        case .oldestFirst: slot < minutes.count ? minutes[minutes.count - 1 - slot] : nil
        case .newestFirst: slot < minutes.count ? minutes[slot] : nil
        }
      set(minute.map { Self.words(record($0), minute: $0) } ?? [0, 0, 0, 0, 0], at: offset + 10 * slot)
    }
  }

  private static func words(_ record: RecordFields, minute: Int) -> [Int] {
    [minute, record.glucose, record.temperature, record.temperatureAdjustment, record.hasError ? 0x8000 : 0]
  }

  private mutating func set(_ words: [Int], at offset: Int) {
    for (index, word) in words.enumerated() {
      bytes[offset + 2 * index] = UInt8(truncatingIfNeeded: word)
      bytes[offset + 2 * index + 1] = UInt8(truncatingIfNeeded: word >> 8)
    }
  }
}
