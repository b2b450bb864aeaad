// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import Libre1Core
import SampleStore

/// Scans of one simulated sensor after the other, each worn for two weeks, the last of them until now.
struct StoreBenchmarkReadings {
  private let minutesBetweenScans: Int
  private let scansPerSensor: Int
  private let firstActivation: Instant

  /// The first age whose rings are full.
  private static let firstAge = 500
  private static let wearMinutes = 20_160

  init(scanCount: Int, minutesBetweenScans: Int) {
    self.minutesBetweenScans = minutesBetweenScans
    scansPerSensor = (Self.wearMinutes - Self.firstAge) / minutesBetweenScans + 1
    let (sensors, rest) = (scanCount - 1).quotientAndRemainder(dividingBy: scansPerSensor)
    let minutes = sensors * Self.wearMinutes + Self.firstAge + rest * minutesBetweenScans
    firstActivation = Instant(secondsSince1970: Int64(Date().timeIntervalSince1970)).adding(minutes: -minutes)
  }

  /// The scan of this number, as a reading comes out of LibreKit.
  func scan(_ number: Int) -> IncomingScan {
    let (wear, rest) = number.quotientAndRemainder(dividingBy: scansPerSensor)
    let sensor = SimulatedSensor(seed: UInt64(wear + 1))
    let age = Self.firstAge + rest * minutesBetweenScans
    let memory = sensor.memory(atAge: age)
    let activatedAt = firstActivation.adding(minutes: wear * Self.wearMinutes)
    guard let fram = try? FRAM(memory.span).validated() else { preconditionFailure("a simulated sensor is sound") }
    let decoded = Libre1Decoder.decode(fram)
    let readAt = activatedAt.adding(minutes: age)
    let reading = SensorReading(
      id: SampleID(high: UInt64(wear), low: UInt64(number)), readAt: readAt, readAtSource: .file,
      source: ReadingSource(
        tool: "benchmark", path: nil, format: nil, dump: nil, sha256: String(repeating: "0", count: 64)),
      reader: nil,
      sensor: SensorDescription(
        identity: SensorIdentity(uid: sensor.uid, fingerprint: fram.fingerprint, serial: nil, family: .libre1),
        patchInfo: sensor.patchInfo, region: fram.region, state: fram.state, ageMinutes: fram.ageMinutes,
        maxLifeMinutes: fram.maxLifeMinutes, initializations: 0, activatedAt: activatedAt, endOfLife: [], failure: nil),
      integrity: fram.integrity, calibration: decoded.calibration, history: decoded.history.samples,
      trend: decoded.trend.samples, current: nil, problems: [], isSalvaged: false,
      memory: MemoryImage(bytes: memory))
    return IncomingScan(reading, footer: fram.footerBytes, timeZone: "Europe/Rome")
  }
}
