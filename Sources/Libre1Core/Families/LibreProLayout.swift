// SPDX-License-Identifier: Apache-2.0
// Embedded Swift cannot pass a value of any type that conforms to a protocol (see `AnyCalibrationModel`).
#if !hasFeature(Embedded)
  import CGMModel

  /// The 176 bytes of a Libre Pro or Libre H, and the two weeks of history after them (Libre1Core/MemoryFormat, "Libre
  /// Pro").
  struct LibreProLayout: SensorLayout {
    let geometry = LibreProMap.geometry
    let overwrittenAfterMinutes: Int? = nil

    /// 0 blocks until a valid body is read, from which their number follows.
    func historyBlocks(in memory: CheckedMemory) -> Range<Int> {
      LibreProMap.historyBlocks(count: (try? ValidatedLibrePro(memory))?.historyCount ?? 0)
    }

    /// Only a model that needs no parameters from the sensor gives values.
    func content(
      of checked: CheckedMemory, model: any CalibrationModel, salvaging: Bool, footer: [UInt8]?
    ) throws(MemoryError) -> MemoryContent {
      let image = checked.image
      let memory = try ValidatedLibrePro(checked, salvaging: salvaging)
      let description = model.description(for: nil)
      func calibrated(_ samples: [GlucoseSample]) -> [GlucoseSample] {
        let hasThermistor = memory.integrity.footer.isTrusted
        return description == nil
          ? samples : samples.map { $0.recalibrated(by: model, parameters: nil, hasThermistor: hasThermistor) }
      }
      let trend = calibrated(memory.trend)
      return MemoryContent(
        memory: image, dataByteCount: min(image.bytes.count, geometry.dataBlockCount * MemoryMap.blockSize),
        integrity: memory.integrity, isSalvaged: memory.isSalvaged,
        sensor: SensorDescription(
          // Three valid checksums at these offsets are more reliable than patch info or UID.
          of: image, family: geometry.family, region: memory.region, state: memory.state, ageMinutes: memory.ageMinutes,
          maxLifeMinutes: memory.maxLifeMinutes, endOfLife: memory.endOfLife, failure: memory.failure),
        calibration: description, history: calibrated(memory.history), trend: trend,
        current: CurrentValue.current(in: trend, newestMinute: memory.newestTrendMinute, state: memory.state),
        problems: memory.problems.filter { description == nil || $0 != .concentrationWithheld })
    }

    func facts(of memory: CheckedMemory) -> [[String]] {
      guard let memory = try? ValidatedLibrePro(memory, salvaging: true) else { return [] }
      return [
        ["state", memory.state.name], ["text", memory.text ?? "–"], ["age", "\(memory.ageMinutes) minutes"],
        ["maximum life", memory.maxLifeMinutes.map { "\($0) minutes" } ?? "–"],
        ["trend index", "slot \(memory.trendIndex) is written next"],
        ["history", "\(memory.historyCount) records so far"],
      ]
    }

    let caveats = ["The place of the calibration parameter i2 is unknown, so counts cannot be converted to glucose."]
  }
#endif
