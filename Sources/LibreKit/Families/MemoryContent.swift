// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// What a memory says, whatever its layout. UID and clock add the rest.
package struct MemoryContent {
  /// The memory it was read from, plain: a later version, or another program, can decode it without a key.
  let memory: MemoryImage
  /// How many of its bytes hold data, and not the sensor's program.
  let dataByteCount: Int
  let integrity: MemoryIntegrity
  let isSalvaged: Bool
  let state: SensorState
  let ageMinutes: Int
  let maxLifeMinutes: Int?
  let region: SensorRegion?
  /// nil where the layout has no place for it.
  let initializations: Int?
  let endOfLife: [EndOfLifeEntry]
  let failure: SensorFailure?
  let fingerprint: SensorFingerprint?
  let family: SensorFamily
  let calibration: CalibrationDescription?
  /// Newest first.
  let history: [GlucoseSample]
  let trend: [GlucoseSample]
  let current: CurrentGlucose?
  let problems: [ReadingProblem]
}
