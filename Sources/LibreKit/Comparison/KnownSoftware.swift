// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// Official software whose algorithm is known, wholly or in part, so that its values can be recognised.
struct KnownSoftware: Sendable {
  /// The name with the versions.
  let name: String
  /// The values that it gives the history of a scan, by minute, mg/dL.
  let history: @Sendable (SampleSeries, CalibrationParameters?) -> [Int: Double]

  static let all = [
    KnownSoftware(name: ReaderCalibration.software) { series, parameters in
      minutes(ReaderCalibration().values(of: series, parameters: parameters).history)
        .mapValues(\.milligramsPerDecilitre)
    },
    KnownSoftware(name: USLibre2App.software) { minutes(USLibre2App.history(of: $0, parameters: $1)) },
  ]

  private static func minutes<Value>(_ values: [SensorMinute: Value]) -> [Int: Value] {
    Dictionary(values.map { ($0.key.value, $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}
