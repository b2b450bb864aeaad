// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import SampleStore
import TextFormats

/// What commands do to the store, with libre's errors and ids.
extension SensorStore {
  /// A sensor by the beginning of its UID, serial or fingerprint, or the one in use; and the number of one of its wears,
  /// the latest if none is given.
  ///
  /// Throws `LibreError.store`: `noSuchSensor`, `ambiguousSensor`, `noSuchWear`.
  public func chosenWear(of name: String?, wear: Int?) throws(LibreError) -> (sensor: StoredSensor, wear: Int) {
    try libre { store throws(StoreError) in
      let sensor: StoredSensor
      if let name {
        sensor = try store.sensor(name, shown: SafeText.excerpt(name))
      } else {
        guard let first = try store.sensors().first else { throw .noValue(path: store.path) }
        sensor = first
      }
      guard let wear else { return (sensor, sensor.latestWear?.number ?? 1) }
      guard sensor.wears.contains(where: { $0.number == wear }) else { throw .noSuchWear(wear) }
      return (sensor, wear)
    }
  }

  /// Notes a finger-stick that the user typed; what became of it, and its id.
  public func noting(_ stick: FingerStick) throws(LibreError) -> (EntryOutcome, SampleID) {
    let entry = HistoryEntry.fingerStick(stick).identified()
    let outcome = try libre { store throws(StoreError) in try store.add(entry, isTyped: true) }
    // `identified` gives every finger-stick an id.
    return (outcome, entry.id ?? SampleID(high: 0, low: 0))
  }

  /// Removes a finger-stick or an imported value; false if there is none of this id.
  public func removing(_ id: SampleID) throws(LibreError) -> Bool {
    try libre { store throws(StoreError) in try store.remove(id) }
  }

  public func keepCalibration(
    _ calibration: UserCalibration?, of sensor: StoredSensor, wear: Int
  ) throws(LibreError) {
    try libre { store throws(StoreError) in
      try store.setUserCalibration(calibration, sensor: sensor.id, wear: wear)
    }
  }

  public func reanchoring(
    _ sensor: StoredSensor, wear: Int, at moment: Instant?, isRehearsal: Bool
  ) throws(LibreError) -> (before: ActivationAnchor, after: ActivationAnchor) {
    try libre { store throws(StoreError) in
      try store.reanchor(sensor, wear: wear, at: moment, isRehearsal: isRehearsal)
    }
  }

  /// Removes a sensor, and leaves word of each of its samples that had an id.
  public func forgetting(_ sensor: StoredSensor) throws(LibreError) {
    try libre { store throws(StoreError) in try store.forget(sensor) }
  }

  public func merging(_ other: SensorStore, isRehearsal: Bool) throws(LibreError) -> MergeReceipt {
    try libre { store throws(StoreError) in
      guard isRehearsal else { return try store.mergeAndDecode(other) }
      return try store.rehearse { () throws(StoreError) in try store.mergeAndDecode(other) }
    }
  }

  /// Removes what is older than a moment, if one is given, and gives space back; how many values were removed.
  public func vacuuming(before limit: Instant?, isRehearsal: Bool) throws(LibreError) -> Int {
    try libre { store throws(StoreError) in
      let removed = try limit.map { limit throws(StoreError) in
        try store.removeAll(before: limit, isRehearsal: isRehearsal)
      }
      if !isRehearsal { try store.shrink() }
      return removed ?? 0
    }
  }
}
