// SPDX-License-Identifier: Apache-2.0
import CGMModel
public import SampleStore

extension SensorStore {
  /// What a check found.
  public struct CheckResult: Sendable {
    /// In words; none for a sound store.
    public var faults: [String] = []
    public var scans = 0
    public var samples = 0
  }

  /// Checks the file, and that every sample of every scan is there: each memory is decoded again and held against the
  /// rows.
  public func check() throws(StoreError) -> CheckResult {
    try snapshot { () throws(StoreError) in
      var result = CheckResult()
      result.faults = try faults()
      try forEachScan { scan throws(StoreError) in
        result.scans += 1
        try check(scan, into: &result)
        return true
      }
      return result
    }
  }

  private func check(_ scan: StoredScan, into result: inout CheckResult) throws(StoreError) {
    let name = "scan \(scan.id?.description ?? "?")"
    let reading: SensorReading
    do throws(LibreError) {
      reading = try scan.reading(footer: scan.footer)
    } catch {
      result.faults.append("\(name): its memory cannot be decoded any more: \(error.message)")
      return
    }
    guard let wear = scan.wear else { return }
    for sample in reading.samples where !sample.raw.isNeverWritten {
      result.samples += 1
      let isThere = try holds(sample.raw, sensor: scan.sensor, wear: wear)
      if !isThere {
        result.faults.append(
          "\(name): its \(sample.ring.rawValue) sample of minute \(sample.minute) is not in the store")
      }
    }
  }
}
