// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A Libre Pro memory whose body was checked: its checksum is correct and its indices are possible, unless it is
/// salvaged.
///
/// Fields of a region with a wrong checksum are nil. No accessor can trap, whatever the bytes.
package struct ValidatedLibreProFRAM: Sendable {
  package let fram: LibreProFRAM
  package let integrity: MemoryIntegrity
  /// True if the body's checksum is wrong and the caller accepts that.
  package let isSalvaged: Bool

  /// The state; `unknown(nil)` if the header is not trusted.
  package let state: SensorState
  /// Minutes since the start.
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
  let thermistor: Thermistor?

  init(_ fram: LibreProFRAM, salvaging: Bool) throws(MemoryError) {
    self.fram = fram
    integrity = fram.integrity
    isSalvaged = !integrity.body.isTrusted
    state = integrity.header.isTrusted ? SensorState(fram.byte(LibreProMap.state)) : .unknown(nil)
    ageMinutes = fram.number(at: LibreProMap.age)
    trendIndex = fram.number(at: LibreProMap.trendIndex)
    historyCount = fram.number(at: LibreProMap.historyCount)
    let footer = integrity.footer.isTrusted
    region = footer ? SensorRegion(fram.byte(LibreProMap.region)) : nil
    maxLifeMinutes = footer ? fram.number(at: LibreProMap.maxLife) : nil
    minimumRawGlucose = footer ? Int(fram.byte(LibreProMap.minimumRawGlucose)) : 150
    thermistor = footer ? Thermistor(i6: fram.bytes.span.value(of: LibreProMap.i6)) : nil

    switch integrity.body {
    case .ok, .torn: break
    case .bad(let stored, let computed):
      if !salvaging { throw .crcMismatch(region: LibreProMap.body.name, stored: stored, computed: computed) }
    case .absent(let blocks):
      guard salvaging else { throw .blockMissing(region: LibreProMap.body.name, blocks: blocks) }
      let first = LibreProMap.age / MemoryMap.blockSize
      if blocks.contains(first) { throw .undatable(blocks: BlockSet([first])) }
    }
    guard trendIndex < LibreProMap.trend.slots else {
      throw .ringIndexOutOfRange(ring: .trend, index: trendIndex, slots: LibreProMap.trend.slots)
    }
    let possible = min(LibreProMap.history.slots, ageMinutes / LibreProMap.history.minutesPerSlot)
    guard historyCount <= possible else {
      throw .ringIndexOutOfRange(ring: .history, index: historyCount, slots: possible)
    }
  }

  /// Fourteen printable characters of the header: the serial number of the reader that started the sensor (read:
  /// DiaBLE), such as `JAAA000-T0000A`. nil if the header is not trusted or a character is not printable.
  package var text: String? {
    let place = LibreProMap.text
    let characters = fram.bytes[place.offset..<place.offset + place.count]
    guard integrity.header.isTrusted, characters.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    return String(decoding: characters, as: UTF8.self)
  }

  /// The sensor's log of the states it left, as on a Libre 1 (derived: one ended sensor has `{4, 20160}`); empty if the
  /// header is not trusted.
  package var endOfLife: [EndOfLifeEntry] {
    integrity.header.isTrusted ? EndOfLifeLog.entries(in: fram.bytes.span) : []
  }

  /// The failure, only in state `failure` (read: DiaBLE).
  package var failure: SensorFailure? { state == .failure ? EndOfLifeLog.failure(in: fram.bytes.span) : nil }

  /// The minute of the newest trend record: slot k holds a minute m with m ≡ k + 1 (mod 16), as on a Libre 1 (derived;
  /// it is the age or one minute less on five of five memories).
  package var newestTrendMinute: SensorMinute {
    SensorMinute(ageMinutes - Integers.floorMod(ageMinutes - trendIndex, LibreProMap.trend.slots))
  }

  /// Returns the i-th newest trend record; nil outside 0…15, and if its bytes are missing.
  func trendRecord(newest index: Int) -> MeasurementRecord? {
    guard (0..<LibreProMap.trend.slots).contains(index) else { return nil }
    return fram.record(at: Ring(layout: LibreProMap.trend, nextSlot: trendIndex).bytes(newest: index).lowerBound)
  }

  /// Returns history record k, from 0, the oldest first; nil outside 0..<`historyCount`, and if its bytes are missing.
  func historyRecord(_ index: Int) -> MeasurementRecord? {
    guard (0..<historyCount).contains(index) else { return nil }
    return fram.record(at: LibreProMap.history.offset + index * MemoryMap.Record.byteCount)
  }

  /// Returns the minute of history record k: 15 (k + 1).
  ///
  /// Derived: the count equals the age's quarters of an hour on five of five memories. Verified on the one whole public
  /// memory, in DiaBLE's source: its newest record is computed from the five trend records around that minute, as on a
  /// Libre 1 (Libre1Core/MemoryFormat, "History from the trend").
  static func minute(ofHistoryRecord index: Int) -> SensorMinute {
    SensorMinute((index + 1) * LibreProMap.history.minutesPerSlot)
  }
}
