// SPDX-License-Identifier: Apache-2.0
import CGMModel
public import CLibre
import Libre1Core

extension UnsafeMutablePointer<libre_reading> {
  /// Writes that nothing is known.
  func clear() {
    initialize(to: libre_reading())
    pointee.size = UInt32(MemoryLayout<libre_reading>.size)
    pointee.current_glucose_mg_dl = .nan
    pointee.current_rate_mg_dl_per_min = .nan
    pointee.current_minute = LIBRE_UNKNOWN
    pointee.age_minutes = LIBRE_UNKNOWN
    pointee.max_life_minutes = LIBRE_UNKNOWN
    pointee.initializations = LIBRE_UNKNOWN
    let unwritten = libre_sample(unwritten: ())
    _ = withUnsafeMutableBytes(of: &pointee.trend) { $0.initializeMemory(as: libre_sample.self, repeating: unwritten) }
    _ = withUnsafeMutableBytes(of: &pointee.history) {
      $0.initializeMemory(as: libre_sample.self, repeating: unwritten)
    }
  }

  @inline(never) func fail(_ error: MemoryError) -> Int32 {
    if let family = error.family { pointee.family = libre_family(family).byte }
    return fail(libre_error(error), error.text)
  }

  func fail(_ error: libre_error, _ text: FixedText) -> Int32 {
    withUnsafeMutableBytes(of: &pointee.message) { message in
      for index in 0..<text.count { message[index] = text[index] }
    }
    pointee.error = error.code
    return error.code
  }

  func write(_ integrity: MemoryIntegrity) {
    pointee.header = libre_checksum(integrity.header).byte
    pointee.body = libre_checksum(integrity.body).byte
    pointee.footer = libre_checksum(integrity.footer).byte
  }

  func write(_ memory: borrowing ValidatedFRAM, _ timeline: Timeline, family: SensorFamily, uid: SensorUID?) {
    write(memory.integrity)
    pointee.state = libre_state(memory.state).byte
    pointee.family = libre_family(family).byte
    pointee.region = libre_region(memory.region).byte
    pointee.age_minutes = Int32(truncatingIfNeeded: memory.ageMinutes)
    if let life = memory.maxLifeMinutes { pointee.max_life_minutes = Int32(truncatingIfNeeded: life) }
    pointee.initializations = Int32(truncatingIfNeeded: memory.initializations)
    if memory.isSalvaged { set(LIBRE_SALVAGED) }
    if timeline.newestHistoryMinute == nil { set(LIBRE_HISTORY_UNDATED) }
    if timeline.isHistoryEstimated { set(LIBRE_HISTORY_ESTIMATED) }
    if let uid, let serial = SerialNumber.characters(for: uid, family: family) {
      withUnsafeMutableBytes(of: &pointee.serial) { for index in serial.indices { $0[index] = serial[index] } }
    }
  }

  @inline(never) func writeTrend(of memory: borrowing ValidatedFRAM, _ timeline: Timeline) {
    let trend = Libre1Decoder.trend(of: memory, timeline, calibration: FactoryCalibration())
    pointee.trend_count = withUnsafeMutableBytes(of: &pointee.trend) { trend.write(to: $0) }
    let current = CurrentValue.current(in: trend, newestMinute: timeline.newestTrendMinute, state: memory.state)
    guard let current else { return }
    set(LIBRE_HAS_CURRENT)
    pointee.current_minute = Int32(truncatingIfNeeded: current.minute.value)
    pointee.current_glucose_mg_dl = current.concentration.milligramsPerDecilitre
    if let rate = current.ratePerMinute {
      set(LIBRE_HAS_RATE)
      pointee.current_rate_mg_dl_per_min = rate
    }
  }

  @inline(never) func writeHistory(of memory: borrowing ValidatedFRAM, _ timeline: Timeline) {
    let history = Libre1Decoder.history(of: memory, timeline, calibration: FactoryCalibration())
    pointee.history_count = withUnsafeMutableBytes(of: &pointee.history) { history.write(to: $0) }
  }

  func write(recovered uid: SensorUID) {
    set(LIBRE_KEY_RECOVERED)
    withUnsafeMutableBytes(of: &pointee.recovered_uid) { bytes in
      for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: uid.bits >> UInt64(56 - 8 * index)) }
    }
  }

  private func set(_ flag: libre_reading_flag) { pointee.flags |= UInt8(truncatingIfNeeded: flag.rawValue) }
}

extension DecodedRing {
  /// Writes the samples, newest first, without those whose bytes are missing. Returns their number.
  fileprivate borrowing func write(to bytes: UnsafeMutableRawBufferPointer) -> UInt8 {
    let samples = bytes.bindMemory(to: libre_sample.self)
    var written = 0
    forEachSample { sample in
      samples[written] = libre_sample(sample)
      written += 1
    }
    return UInt8(truncatingIfNeeded: written)
  }
}

extension libre_sample {
  fileprivate init(unwritten: ()) {
    self.init()
    (glucose_mg_dl, model_glucose_mg_dl, temperature_c) = (.nan, .nan, .nan)
    minute = LIBRE_UNKNOWN
    quality = LIBRE_QUALITY_NEVER_WRITTEN.byte
  }

  fileprivate init(_ sample: GlucoseSample) {
    let (usable, model) = (sample.usableConcentration, sample.concentration)
    let (celsius, hasError) = (sample.temperatureCelsius, sample.raw.hasError)
    let flags =
      (usable == nil ? 0 : LIBRE_HAS_GLUCOSE.rawValue) | (model == nil ? 0 : LIBRE_HAS_MODEL_GLUCOSE.rawValue)
      | (celsius == nil ? 0 : LIBRE_HAS_TEMPERATURE.rawValue) | (hasError ? LIBRE_HAS_ERROR.rawValue : 0)
    self.init(
      glucose_mg_dl: usable?.milligramsPerDecilitre ?? .nan,
      model_glucose_mg_dl: model?.milligramsPerDecilitre ?? .nan, temperature_c: celsius ?? .nan,
      minute: Int32(truncatingIfNeeded: sample.minute.value), raw_glucose: sample.raw.glucose,
      raw_temperature: sample.raw.temperature, raw_temperature_adjustment: sample.raw.temperatureAdjustment,
      errors: sample.raw.errors.rawValue, quality: libre_quality(sample.quality).byte,
      flags: UInt8(truncatingIfNeeded: flags), reserved: (0, 0))
  }
}
