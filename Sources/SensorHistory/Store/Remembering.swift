// SPDX-License-Identifier: Apache-2.0
import DumpFormats
public import HostSystem

extension SensorStore {
  /// The result of storing a reading.
  public struct Remembered: Sendable {
    /// The reading with the wear and the times of the store, and with problems that the store found.
    public let reading: SensorReading
    public let receipt: ScanReceipt
  }

  /// Stores a reading with its memory, and dates it by the sensor's anchor (its start time in the store).
  ///
  /// The store keeps the factory's values. Values of another model for single measurements are kept as revisions.
  /// Values of a user calibration or of a model with neighbours change over time, so they are computed when needed.
  /// With `isShown` the reading has the values of `calibration`.
  /// - Throws: `LibreError.store`, and `dump` for a reading without a memory; then nothing is stored.
  public func remember(
    _ reading: SensorReading, calibration: CalibrationChoice, isShown: Bool = true,
    zone: String? = LocalTime.zoneName
  ) throws(LibreError) -> Remembered {
    if reading.lacksMemory { throw .dump(.recordsOnly) }
    let remembered = try libre(footer(uid: reading.sensor.uid, fingerprint: reading.sensor.fingerprint))
    let factory = try Self.decoded(reading, .factory, footer: remembered)
    var shown = factory
    var others: [SensorReading] = []
    if case .model = calibration {
      shown = try Self.decoded(reading, calibration, footer: remembered)
      if shown.calibration != nil { others = [shown] }
    }
    let scan = IncomingScan(factory, others: others, footer: factory.footer, timeZone: zone)
    let receipt = try libre(
      transaction { () throws(StoreError) in
        let receipt = try add(scan)
        try calibrate(receipt.sensorID)
        return receipt
      })
    if isShown { shown = try recalibrated(shown, calibration, receipt) }
    return Remembered(reading: shown.placed(by: receipt), receipt: receipt)
  }

  /// Completes and dates a reading as `remember` does, without storing it. One without a memory stays as it is.
  package func complete(_ reading: SensorReading, calibration: CalibrationChoice) throws(LibreError) -> SensorReading {
    if reading.lacksMemory { return reading }
    let footer = try libre(footer(uid: reading.sensor.uid, fingerprint: reading.sensor.fingerprint))
    let decoded = try Self.decoded(reading, calibration, footer: footer)
    let receipt = try libre(known(IncomingScan(decoded, footer: nil, timeZone: nil)))
    let recalibrated = try recalibrated(decoded, calibration, receipt)
    return receipt.map(recalibrated.placed) ?? recalibrated
  }

  /// Returns the reading with the values that need the store, for a sensor that is in it.
  private func recalibrated(
    _ reading: SensorReading, _ calibration: CalibrationChoice, _ receipt: ScanReceipt?
  ) throws(LibreError) -> SensorReading {
    switch calibration {
    case .factory, .model: return reading
    case .user:
      guard let receipt, let wear = receipt.wear else { return reading.lackingUserCalibration }
      let values = try libre(WearValues(of: self, calibration: .user))
      let correction = values.correction(of: receipt.sensor, wear: wear)
      return correction.map(reading.corrected) ?? reading.lackingUserCalibration
    case .series(let model):
      // Samples that may be wrong must not change the values of others.
      guard let receipt, let wear = receipt.wear, !reading.isSalvaged else { return reading.recalibrated(by: model) }
      let merged = try libre(series(of: receipt.sensorID, wear: wear).series)
      return reading.recalibrated(by: model, over: merged.completed(by: reading))
    }
  }

  /// Decodes the scans of a sensor without a valid footer again, if one is known now.
  func calibrate(_ sensor: StoredSensor.ID) throws(StoreError) {
    var scans: [(StoredScan, footer: [UInt8])] = []
    try forEachScan(lackingFooterOf: sensor) { scan throws(StoreError) in
      if let footer = scan.footer { scans.append((scan, footer)) }
      return true
    }
    for (scan, footer) in scans {
      // It was decoded before, so this does not fail.
      guard let reading = try? scan.reading(footer: footer) else { continue }
      var scan = IncomingScan(reading, footer: nil, timeZone: nil)
      scan.isDecodedAgain = true
      _ = try add(scan)
    }
  }

  /// Merges another store into this one, and decodes scans again for which one of them had the missing footer.
  func mergeAndDecode(_ other: SensorStore) throws(StoreError) -> MergeReceipt {
    try transaction { () throws(StoreError) in
      let receipt = try merge(other)
      for sensor in try sensors() { try calibrate(sensor.id) }
      return receipt
    }
  }

  private static func decoded(
    _ reading: SensorReading, _ calibration: CalibrationChoice, footer: [UInt8]?
  ) throws(LibreError) -> SensorReading {
    let model = calibration.pointModel
    let isComplete = reading.integrity.footer.isTrusted || footer == nil
    if isComplete, reading.calibration == nil || reading.calibration?.model == model.name {
      var reading = reading
      reading.problems.removeAll { $0 == .userCalibrationMissing }
      return reading
    }
    return try DumpReading(
      memory: CheckedMemory(reading.memory), readAtSource: reading.readAtSource, source: reading.source,
      reader: reading.reader,
      defect: reading.problems.contains(.overwrittenByProxmark) ? .overwrittenByProxmark : nil, footer: footer
    ).reading(
      calibration: model.name == FactoryCalibration().name ? .factory : .model(model), salvaging: reading.isSalvaged)
  }
}

extension StoredScan {
  /// Decodes the stored memory again with the factory calibration; `footer` replaces a damaged one.
  /// - Throws: errors of decoding, such as for a memory that only a later version supports.
  func reading(footer: [UInt8]?) throws(LibreError) -> SensorReading {
    try DumpReading(memory: CheckedMemory(memory), readAtSource: readAtSource, source: source, footer: footer)
      .reading(calibration: .factory, salvaging: isSalvaged)
  }
}

extension SampleSeries {
  fileprivate func completed(by reading: SensorReading) -> SampleSeries {
    func completed(_ known: [RawSample], by samples: [GlucoseSample]) -> [RawSample] {
      let minutes = Set(known.map(\.minute))
      return known + samples.map(\.raw).filter { !minutes.contains($0.minute) }
    }
    return SampleSeries(history: completed(history, by: reading.history), trend: completed(trend, by: reading.trend))
  }
}

extension SensorReading {
  func placed(by receipt: ScanReceipt) -> SensorReading {
    var reading = self
    reading.wear = receipt.wear ?? 1
    reading.sensor.activatedAt = receipt.activatedAt ?? sensor.activatedAt
    reading.sensor.identity = SensorIdentity(
      uid: receipt.sensor.uid ?? sensor.uid, fingerprint: sensor.fingerprint,
      serial: receipt.sensor.serial ?? sensor.serial, family: sensor.family, product: sensor.identity.product)
    reading.history = history.dated(from: reading.sensor.activatedAt)
    reading.trend = trend.dated(from: reading.sensor.activatedAt)
    // The store may know a better start, but a clock that was not set stays worth a word.
    let decoderProblems = problems.filter { $0.startDoubt == nil }
    let doubts = [receipt.doubt, receipt.scanDoubt == .clockNotSet ? .clockNotSet : nil].compactMap(\.self)
    var storeProblems: [ReadingProblem] = doubts.first.map { [.startInDoubt($0)] } ?? []
    if receipt.isNewWear, let wear = receipt.wear { storeProblems.append(.newWear(number: wear)) }
    if receipt.conflicts > 0 { storeProblems.append(.conflicts(count: receipt.conflicts)) }
    if let seconds = receipt.reportedStartMove { storeProblems.append(.startMoved(seconds: seconds)) }
    if receipt.doubt == nil, let seconds = receipt.reportedDisagreement {
      storeProblems.append(.clockDisagrees(seconds: seconds))
    }
    reading.problems = decoderProblems + storeProblems
    return reading
  }
}

extension ReadingProblem {
  fileprivate var startDoubt: StartDoubt? { if case .startInDoubt(let doubt) = self { doubt } else { nil } }
}
