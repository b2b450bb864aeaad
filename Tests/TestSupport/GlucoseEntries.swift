// SPDX-License-Identifier: Apache-2.0
package import CGMModel

extension FingerStick {
  package init(
    _ milligrams: Double, at time: Instant, note: String? = nil, source: String? = nil, id: SampleID? = nil
  ) {
    self.init(
      id: id, time: time, concentration: GlucoseConcentration(milligramsPerDecilitre: milligrams), note: note,
      source: source)
  }
}

extension HistoryEntry {
  /// A value of another program.
  package static func value(
    _ milligrams: Double, at time: Instant, source: String = "libreview", device: String? = nil,
    ring: SampleRing = .history, bound: ImportedSample.Bound? = nil, id: SampleID? = nil
  ) -> HistoryEntry {
    .imported(
      ImportedSample(
        id: id, source: source, device: device, ring: ring, time: time,
        concentration: GlucoseConcentration(milligramsPerDecilitre: milligrams), bound: bound))
  }
}
