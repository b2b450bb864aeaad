// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// What a memory says, whatever its layout. UID and clock add the rest.
struct MemoryContent {
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
  /// What the memory's own constants say it is; nil where they say nothing.
  let family: SensorFamily?
  let calibration: CalibrationDescription?
  /// Newest first.
  let history: [GlucoseSample]
  let trend: [GlucoseSample]
  let current: CurrentGlucose?
  let problems: [ReadingProblem]
}

extension MemoryContent {
  /// `recoveredKey` is what the memory was decrypted with, if it gave up its key itself.
  init(_ decoded: DecodedMemory, of memory: MemoryImage, recoveredKey key: RecoveredKey?) {
    let recovered = key.map { ReadingProblem.keyRecovered(uid: $0.uid, patchInfo: $0.patchInfo) }
    self.init(
      memory: memory, dataByteCount: MemoryMap.byteCount, integrity: decoded.memory.integrity,
      isSalvaged: decoded.memory.isSalvaged,
      state: decoded.memory.state, ageMinutes: decoded.memory.ageMinutes,
      maxLifeMinutes: decoded.memory.maxLifeMinutes, region: decoded.memory.region,
      initializations: decoded.memory.initializations, endOfLife: decoded.memory.endOfLife,
      failure: decoded.memory.failure, fingerprint: decoded.memory.fingerprint,
      family: key?.family ?? decoded.memory.footerFamily,
      calibration: decoded.calibration, history: decoded.history.samples, trend: decoded.trend.samples,
      current: decoded.current, problems: decoded.problems + [recovered].compactMap(\.self))
  }
}

extension MemoryContent {
  /// Of a Libre Pro only a model that needs none of the sensor's own numbers gives values.
  init(_ decoded: DecodedLibrePro, of image: MemoryImage, model: any CalibrationModel) {
    let memory = decoded.memory
    let description = model.description(for: nil)
    func calibrated(_ samples: [GlucoseSample]) -> [GlucoseSample] {
      let hasThermistor = memory.integrity.footer.isTrusted
      return description == nil
        ? samples : samples.map { $0.recalibrated(by: model, parameters: nil, hasThermistor: hasThermistor) }
    }
    let trend = calibrated(decoded.trend)
    self.init(
      memory: image, dataByteCount: min(image.bytes.count, LibreProMap.blockLimit * MemoryMap.blockSize),
      integrity: memory.integrity, isSalvaged: memory.isSalvaged,
      state: memory.state,
      ageMinutes: memory.ageMinutes, maxLifeMinutes: memory.maxLifeMinutes, region: memory.region,
      initializations: nil, endOfLife: memory.endOfLife, failure: memory.failure, fingerprint: nil,
      family: .librePro, calibration: description, history: calibrated(decoded.history),
      trend: trend,
      current: CurrentValue.current(in: trend, newestMinute: memory.newestTrendMinute, state: memory.state),
      problems: decoded.problems.filter { description == nil || $0 != .concentrationWithheld })
  }
}
