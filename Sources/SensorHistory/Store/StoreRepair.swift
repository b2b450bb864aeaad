// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// The result of making a new store of a damaged one.
package struct StoreRepair: Sendable {
  package var scans = 0
  /// Samples that were lost, and came back because the memory of a scan was decoded again.
  package var samplesDecodedAgain = 0
  /// Samples whose rows and scans are lost, by sensor and day (UTC), which are nil if they cannot be told.
  package var lost: [(sensor: SensorIdentity?, day: Instant?, count: Int)] = []
  package var lostScans = 0
  /// Path under which the damaged file is kept.
  package let damagedPath: String
}

extension StoreFile {
  /// Makes a new store of all rows of a damaged one that are not damaged, decodes each of its scans again, and puts the
  /// samples in that are missing. The damaged file is kept beside the new one.
  ///
  /// Samples that were sent before and come back this way are sent again, with the same ids.
  package static func repair(_ path: String, at now: Instant) throws(LibreError) -> StoreRepair {
    var repair = StoreRepair(damagedPath: "\(path).damaged-\(now.secondsSince1970)")
    let store = try openInMemory()
    let damaged = try open(damaged: path)
    // Another program that opened it before the new file has its name would write to a file without one.
    defer { withExtendedLifetime(damaged) {} }
    let orphans = try libre(store.rescue(damaged))
    try libre(store.addAgain(orphans, counting: &repair))
    (repair.lost, repair.lostScans) = try libre(store.lost())
    let counts = try libre(store.counts())
    // A row whose checksum holds is libre's; without one this is another program's file, or nothing is left of ours.
    if counts.sensors + counts.scans + counts.imported + counts.fingerSticks + counts.bloodPressures == 0 {
      throw .store(.notAStore(path: path))
    }
    repair.scans = try replace(path, by: store) { copy in
      let result = try copy.check()
      if let fault = result.faults.first { throw StoreError.corrupt(path: path, words: fault) }
      try FileSystem.keep(path, as: repair.damagedPath)
      return result.scans
    }
    return repair
  }

  private static func open(damaged path: String) throws(LibreError) -> DamagedDatabase {
    if !FileSystem.exists(path) { throw .store(.missing(path: path)) }
    do throws(SQLiteFailure) {
      return try DamagedDatabase(path)
    } catch {
      throw .store(StoreError(error, path: path))
    }
  }
}

extension SensorStore {
  /// Stores the scans of which a sensor or a wear is lost, and decodes those again whose samples are.
  fileprivate func addAgain(_ orphans: [StoredScan], counting repair: inout StoreRepair) throws(StoreError) {
    var scans: [StoredScan] = []
    try forEachScan { scan in
      scans.append(scan)
      return true
    }
    for (scan, isOrphan) in orphans.map({ ($0, true) }) + scans.map({ ($0, false) }) {
      // One that only a later version can decode stays as it is.
      guard let reading = try? scan.reading(footer: scan.footer) else { continue }
      var incoming = IncomingScan(reading, footer: reading.footer, timeZone: nil)
      incoming.isDecodedAgain = !isOrphan
      let receipt = try add(incoming)
      repair.samplesDecodedAgain += receipt.added + receipt.filled
    }
  }
}
