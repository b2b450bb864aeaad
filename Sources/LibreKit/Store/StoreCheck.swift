// SPDX-License-Identifier: Apache-2.0
import CGMModel
package import SampleStore

extension SensorStore {
  package struct CheckResult: Sendable {
    /// Sentences about faults; empty for an intact store.
    package var faults: [String] = []
    package var scans = 0
    package var samples = 0
  }

  /// Checks the file and its rows, and decodes each memory again to check that every sample is stored as it was decoded.
  package func check() throws(StoreError) -> CheckResult {
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
      result.faults.append("\(name): its memory cannot be decoded: \(error.message)")
      return
    }
    guard let wear = scan.wear else { return }
    for sample in reading.samples where !sample.raw.isNeverWritten {
      result.samples += 1
      let words = "\(name): its \(sample.ring.rawValue) sample of minute \(sample.minute)"
      if try !holds(sample.raw, sensor: scan.sensor, wear: wear) {
        result.faults.append("\(words) is not in the store")
      }
      let difference = try difference(from: sample, calibration: reading.calibration, sensor: scan.sensor, wear: wear)
      if let difference { result.faults.append("\(words) is stored with \(difference)") }
    }
  }
}
