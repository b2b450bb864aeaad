// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import SQLiteAccess

extension SensorStore {
  /// Dates a wear anew: at `activatedAt`, or where all its scans together put the start. All its times change, and whoever
  /// asks for changes gets all its samples again.
  ///
  /// Returns the anchor before and after. Throws `impossibleActivation` for a moment at which no sensor can have been started.
  public func reanchor(
    _ sensor: StoredSensor, wear: Int, at activatedAt: Instant?, isRehearsal: Bool = false
  ) throws(StoreError) -> (before: ActivationAnchor, after: ActivationAnchor) {
    if let activatedAt, !Instant.writable.contains(activatedAt) || activatedAt < .firstSensor {
      throw .impossibleActivation(activatedAt)
    }
    return try transaction { () throws(StoreError) in
      try perform { () throws(SQLiteFailure) in
        guard let row = try wearRow(sensor.id, wear) else { return (ActivationAnchor(), ActivationAnchor()) }
        let before = try anchor(ofWear: row)
        var after = before
        if let activatedAt {
          (after.activatedAt, after.origin, after.readAt) = (activatedAt, .user, nil)
        } else if let middle = before.middle {
          (after.activatedAt, after.origin) = (middle, .scan)
        }
        if after != before, !isRehearsal {
          try save(after, ofWear: row)
          try touch(wear: row, change: try nextChange())
        }
        return (before, after)
      }
    }
  }

  /// Removes a sensor with all its scans and samples; others learn of it by `removals`.
  ///
  /// `ids` are those of its samples, which need SHA-1.
  public func forget(_ sensor: StoredSensor, ids: [SampleID]) throws(StoreError) {
    try transaction { () throws(StoreError) in
      try perform { () throws(SQLiteFailure) in
        for candidate in try wears(ofSensor: sensor.id.row) { try remove(wear: candidate.wear) }
        try statement("DELETE FROM scan WHERE sensor = ?").run(.integer(sensor.id.row))
        try statement("DELETE FROM sensor WHERE id = ?").run(.integer(sensor.id.row))
        try bury(ids, of: sensor.identity.uid?.description, change: try nextChange())
      }
    }
  }
}

extension ActivationAnchor {
  /// Where all scans together put the start: the end of the interval that they narrowed, or the middle of the gap between
  /// clocks that disagree.
  var middle: Instant? {
    guard let after = activatedAfter?.secondsSince1970, let until = activatedUntil?.secondsSince1970 else { return nil }
    return Instant(secondsSince1970: after < until ? until : (after + until) / 2)
  }
}
