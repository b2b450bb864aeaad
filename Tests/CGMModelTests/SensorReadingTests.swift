// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct SensorReadingTests {
  private func sample(_ ring: SampleRing, _ minute: Int) -> GlucoseSample {
    GlucoseSample(
      raw: RawSample(
        ring: ring, minute: SensorMinute(minute), glucose: 1_000, temperature: 6_600, temperatureAdjustment: 0,
        hasError: false, errorField: 0x320, isNeverWritten: false),
      temperatureCelsius: nil, concentration: nil, quality: .ok)
  }

  @Test("samples of both rings are sorted newest first, with the trend first in the same minute")
  func samples() {
    let reading = SensorReading(
      id: SampleID(high: 0, low: 0), readAt: nil, readAtSource: .unknown,
      source: ReadingSource(tool: "test", path: nil, format: nil, dump: nil, sha256: ""), reader: nil,
      sensor: SensorDescription(
        identity: SensorIdentity(uid: nil, fingerprint: nil, serial: nil, family: .libre1), patchInfo: nil, region: nil,
        state: .active, ageMinutes: 61, maxLifeMinutes: nil, initializations: 0, activatedAt: nil, endOfLife: [],
        failure: nil),
      integrity: MemoryIntegrity(header: .ok, body: .ok, footer: .ok), calibration: nil,
      history: [sample(.history, 60), sample(.history, 45)],
      trend: [sample(.trend, 61), sample(.trend, 60), sample(.trend, 59)], current: nil, problems: [],
      isSalvaged: false, memory: MemoryImage(bytes: []))
    #expect(reading.samples.map(\.minute.value) == [61, 60, 60, 59, 45])
    #expect(reading.samples.map(\.ring) == [.trend, .trend, .history, .trend, .history])
  }
}
