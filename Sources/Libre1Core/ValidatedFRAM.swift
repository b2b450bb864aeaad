// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A memory whose body was checked: its checksum is correct and both ring indices are valid, unless it is salvaged.
///
/// Fields of a region with a wrong checksum are nil. No accessor can trap, whatever the bytes.
package struct ValidatedFRAM: Sendable {
  package let fram: FRAM
  package var integrity: MemoryIntegrity { fram.integrity }
  package let isSalvaged: Bool

  /// The state; `unknown(nil)` if the header is not trusted.
  package let state: SensorState

  /// The slot that is written next, as `historyIndex`; nil only when salvaging a body that lacks it.
  package let trendIndex: Int?
  package let historyIndex: Int?
  package let storedAgeMinutes: Int
  package let initializations: Int

  package let region: SensorRegion?
  /// The minutes after which the history stops, 20 630…20 945 on real sensors.
  package let maxLifeMinutes: Int?
  /// 150 if the footer is not trusted, as on every Libre 1 seen.
  package let minimumRawGlucose: Int
  /// The thermistor's calibration, which needs only the footer.
  let thermistor: Thermistor?
  /// i1…i6; nil unless both the header, which holds i1 and i2, and the footer are trusted.
  package let calibrationParameters: CalibrationParameters?

  /// True if the footer is not trusted and the footer of another scan of the same sensor is used instead.
  package let isFooterRemembered: Bool

  fileprivate init(
    _ fram: borrowing FRAM, _ memory: Span<UInt8>, isFooterRemembered: Bool, salvaging: Bool
  ) throws(MemoryError) {
    let integrity = fram.integrity
    self.isFooterRemembered = isFooterRemembered
    let (header, footer) = (integrity.header.isTrusted, integrity.footer.isTrusted || isFooterRemembered)
    let parameters = CalibrationParameters(memory)
    self.fram = copy fram
    isSalvaged = !integrity.body.isTrusted
    state = header ? SensorState(memory.byte(MemoryMap.state)) : .unknown(nil)
    let lacksIndices = fram.missingBlocks.contains(MemoryMap.historyIndex / MemoryMap.blockSize)
    trendIndex = lacksIndices ? nil : Int(memory.byte(MemoryMap.trendIndex))
    historyIndex = lacksIndices ? nil : Int(memory.byte(MemoryMap.historyIndex))
    storedAgeMinutes = Int(memory.short(at: MemoryMap.age))
    initializations = Int(memory.byte(MemoryMap.initializations))
    region = footer ? SensorRegion(memory.byte(MemoryMap.region)) : nil
    maxLifeMinutes = footer ? Int(memory.short(at: MemoryMap.maxLife)) : nil
    minimumRawGlucose =
      footer ? Int(memory.byte(MemoryMap.minimumRawGlucose)) : SampleRules.usualMinimumRawGlucose
    thermistor = footer ? Thermistor(i6: parameters.i6) : nil
    calibrationParameters = header && footer ? parameters : nil

    try MemoryMap.body.require(integrity.body, age: MemoryMap.age, salvaging: salvaging)
    try MemoryMap.trend.requireSlot(trendIndex, of: .trend)
    try MemoryMap.history.requireSlot(historyIndex, of: .history)
  }

  /// The minutes since the start at the time when the samples were written: for a torn body one less than stored.
  package var ageMinutes: Int { storedAgeMinutes &- (integrity.body == .torn ? 1 : 0) }

  /// Empty if the header is not trusted.
  package var endOfLife: [EndOfLifeEntry] {
    integrity.header.isTrusted ? EndOfLifeLog.entries(in: fram.bytes.span) : []
  }

  /// nil without such a log entry, and if the header is not trusted.
  var lastActiveMinute: SensorMinute? {
    integrity.header.isTrusted ? EndOfLifeLog.minute(leaving: .active, in: fram.bytes.span) : nil
  }

  package var failure: SensorFailure? { state == .failure ? EndOfLifeLog.failure(in: fram.bytes.span) : nil }

  package var footerFamily: SensorFamily? {
    integrity.footer.isTrusted ? FooterFingerprint.family(of: fram) : nil
  }

  package var timeline: Timeline { Timeline(self) }

  /// nil if its bytes are missing, if `index` is outside the ring, or if the ring's beginning is not known.
  package func record(_ ring: SampleRing, newest index: Int) -> MeasurementRecord? {
    guard let slots = slots(of: ring), (0..<slots.layout.slots).contains(index) else { return nil }
    let place = slots.bytes(newest: index)
    return fram.missingBlocks.touches(place) ? nil : MeasurementRecord(bits: fram.recordBits(at: place.lowerBound))
  }

  /// The order of the slots; nil if the ring's index is missing and cannot be determined otherwise.
  func slots(of ring: SampleRing) -> Ring? {
    switch ring {
    case .trend: trendIndex.map { Ring(layout: MemoryMap.trend, nextSlot: $0) }
    case .history:
      (historyIndex ?? timeline.estimatedHistoryIndex).map { Ring(layout: MemoryMap.history, nextSlot: $0) }
    }
  }
}

extension CalibrationParameters {
  init(_ memory: Span<UInt8>) {
    let magnitude = memory.value(of: MemoryMap.i3Magnitude)
    self.init(
      i1: memory.value(of: MemoryMap.i1), i2: memory.value(of: MemoryMap.i2),
      i3: memory.value(of: MemoryMap.i3IsNegative) == 1 ? -magnitude : magnitude, i4: memory.value(of: MemoryMap.i4),
      i5: memory.value(of: MemoryMap.i5), i6: memory.value(of: MemoryMap.i6))
  }
}

extension MemoryMap.Region {
  /// Checks that the region is correct, or that `salvaging` is requested and the samples can be dated: the block with
  /// the `age` is there. A value without a minute is useless.
  func require(_ verdict: RegionVerdict, age: Int, salvaging: Bool) throws(MemoryError) {
    switch verdict {
    case .ok, .torn: break
    case .bad(let stored, let computed):
      if !salvaging { throw .crcMismatch(region: kind, stored: stored, computed: computed) }
    case .absent(let blocks):
      guard salvaging else { throw .blockMissing(region: kind, blocks: blocks) }
      let block = age / MemoryMap.blockSize
      if blocks.contains(block) { throw .undatable(blocks: BlockSet(CollectionOfOne(block))) }
    }
  }
}

extension RingLayout {
  func requireSlot(_ index: Int?, of ring: SampleRing) throws(MemoryError) {
    guard let index, index >= slots else { return }
    throw .ringIndexOutOfRange(ring: ring, index: index, slots: slots)
  }
}

extension FRAM {
  /// Accepts a body with a wrong checksum if `salvaging`, and marks it: its ring indices must be possible or
  /// missing, and its age must be there. `footer` is the `footerBytes` of another scan; it replaces one that is not
  /// trusted.
  package func validated(salvaging: Bool = false, footer: [UInt8]?) throws(MemoryError) -> ValidatedFRAM {
    guard !integrity.footer.isTrusted, let footer, footer.count == MemoryMap.footer.bytes.count else {
      return try validated(salvaging: salvaging)
    }
    let known = with(footer: footer)
    return try ValidatedFRAM(self, known.bytes.span, isFooterRemembered: true, salvaging: salvaging)
  }

  package func validated(salvaging: Bool = false) throws(MemoryError) -> ValidatedFRAM {
    try ValidatedFRAM(self, bytes.span, isFooterRemembered: false, salvaging: salvaging)
  }

  fileprivate func with(footer: [UInt8]) -> FRAM {
    var fram = self
    for (offset, byte) in zip(MemoryMap.footer.bytes, footer) { fram.bytes[offset] = byte }
    return fram
  }
}
