// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import SampleStore
import TextFormats

/// What commands do to the store, with ids.
extension SensorStore {
  /// A sensor by the beginning of its UID, serial or fingerprint, or the one in use; and the number of one of its wears,
  /// the latest if none is given.
  ///
  /// Throws `noSuchSensor`, `ambiguousSensor`, `noSuchWear`, or `noValue` where there is no sensor.
  public func chosenWear(of name: String?, wear: Int?) throws(StoreError) -> (sensor: StoredSensor, wear: Int) {
    let chosen = if let name { try sensor(name, shown: SafeText.excerpt(name)) } else { try sensors().first }
    guard let sensor = chosen else { throw .noValue(path: path) }
    guard let wear else { return (sensor, sensor.latestWear?.number ?? 1) }
    guard sensor.wears.contains(where: { $0.number == wear }) else { throw .noSuchWear(wear) }
    return (sensor, wear)
  }

  /// Notes a finger-stick that the user typed; what became of it, and its id.
  public func note(_ stick: FingerStick) throws(StoreError) -> (EntryOutcome, SampleID) {
    let entry = HistoryEntry.fingerStick(stick).identified()
    let outcome = try add(entry, isTyped: true)
    // `identified` gives every finger-stick an id.
    return (outcome, entry.id ?? SampleID(high: 0, low: 0))
  }

  /// Takes over another store, and decodes what the two can decode together. A rehearsal changes nothing.
  public func merge(_ other: SensorStore, isRehearsal: Bool) throws(StoreError) -> MergeReceipt {
    guard isRehearsal else { return try mergeAndDecode(other) }
    return try rehearse { () throws(StoreError) in try mergeAndDecode(other) }
  }

  /// Removes what is older than a moment, if one is given, and gives space back; how many values were removed.
  public func vacuum(before limit: Instant?, isRehearsal: Bool) throws(StoreError) -> Int {
    let removed = if let limit { try removeAll(before: limit, isRehearsal: isRehearsal) } else { 0 }
    if !isRehearsal { try shrink() }
    return removed
  }
}
