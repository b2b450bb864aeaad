// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// The content of a memory of any layout.
package struct MemoryContent {
  /// The memory, decrypted, so that a later version or another program can decode it without a key.
  let memory: MemoryImage
  /// The number of bytes that hold data, without the sensor's program.
  let dataByteCount: Int
  let integrity: MemoryIntegrity
  let isSalvaged: Bool
  let sensor: SensorDescription
  let calibration: CalibrationDescription?
  /// History samples, newest first.
  let history: [GlucoseSample]
  let trend: [GlucoseSample]
  let current: CurrentGlucose?
  let problems: [ReadingProblem]
}

extension SensorDescription {
  /// Creates the description from a memory, its UID, its patch info and the time of the scan.
  init(
    of image: MemoryImage, fingerprint: SensorFingerprint?, family: SensorFamily, region: SensorRegion?,
    state: SensorState, ageMinutes: Int, maxLifeMinutes: Int?, initializations: Int?, endOfLife: [EndOfLifeEntry],
    failure: SensorFailure?
  ) {
    let serial = image.uid.flatMap { SerialNumber.text(for: $0, family: family) }
    self.init(
      identity: SensorIdentity(uid: image.uid, fingerprint: fingerprint, serial: serial, family: family),
      patchInfo: image.patchInfo, region: region, state: state, ageMinutes: ageMinutes, maxLifeMinutes: maxLifeMinutes,
      initializations: initializations,
      // A sensor in its box has no start, though its age reads 0.
      activatedAt: state == .notActivated ? nil : image.readAt?.adding(minutes: -ageMinutes), endOfLife: endOfLife,
      failure: failure)
  }
}
