// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A memory whose body has been checked: its checksum holds and both ring indices point at slots.
///
/// What depends on a region that did not hold is nil. No accessor can trap, whatever the bytes.
public struct ValidatedFRAM: Sendable {
  public let fram: FRAM
  public let integrity: MemoryIntegrity
  /// True if the body's checksum does not hold and the caller wanted it all the same.
  public let isSalvaged: Bool

  init(_ fram: FRAM, salvaging: Bool) throws(MemoryError) {
    let integrity = fram.integrity
    self.fram = fram
    self.integrity = integrity
    isSalvaged = !integrity.body.isTrusted
    switch integrity.body {
    case .ok, .torn: break
    case .bad(let stored, let computed):
      if !salvaging { throw .crcMismatch(region: MemoryMap.body.name, stored: stored, computed: computed) }
    case .absent(let blocks):
      guard salvaging else { throw .blockMissing(region: MemoryMap.body.name, blocks: blocks) }
      // Without its indices and its age no sample has a minute, and a value without a minute is no sample.
      let places = [MemoryMap.trendIndex, MemoryMap.historyIndex, MemoryMap.age]
      let lacking = BlockSet(places.map { $0 / MemoryMap.blockSize }.filter(blocks.contains))
      guard lacking.isEmpty else { throw .undatable(blocks: lacking) }
    }
    for (ring, index, slots) in [
      (SampleRing.trend, trendIndex, MemoryMap.trend.slots), (.history, historyIndex, MemoryMap.history.slots),
    ] where index >= slots {
      throw .ringIndexOutOfRange(ring: ring, index: index, slots: slots)
    }
  }

  // MARK: Header

  /// `unknown(nil)` if the header is not trusted.
  public var state: SensorState {
    integrity.header.isTrusted ? SensorState(fram.byte(MemoryMap.state)) : .unknown(nil)
  }

  /// The sensor's log of states it left; empty if the header is not trusted.
  public var endOfLife: [EndOfLifeEntry] { integrity.header.isTrusted ? EndOfLifeLog.entries(in: fram) : [] }

  /// Only in state `failure`.
  public var failure: SensorFailure? { state == .failure ? EndOfLifeLog.failure(in: fram) : nil }

  // MARK: Body

  /// The trend slot that is written next.
  public var trendIndex: Int { Int(fram.byte(MemoryMap.trendIndex)) }
  /// The history slot that is written next.
  public var historyIndex: Int { Int(fram.byte(MemoryMap.historyIndex)) }

  /// Minutes since the start, as they were when the samples were written: a torn body's age is one less than stored.
  public var ageMinutes: Int { storedAgeMinutes &- (integrity.body == .torn ? 1 : 0) }

  /// The age as it stands in memory.
  public var storedAgeMinutes: Int { Int(fram.number(at: MemoryMap.age)) }

  public var initializations: Int { Int(fram.byte(MemoryMap.initializations)) }

  public var timeline: Timeline { Timeline(self) }

  /// The i-th newest record of a ring; nil if its bytes are missing or `index` is outside the ring.
  public func record(_ ring: SampleRing, newest index: Int) -> MeasurementRecord? {
    let slots = self.slots(of: ring)
    guard (0..<slots.layout.slots).contains(index) else { return nil }
    let start = slots.bytes(newest: index).lowerBound
    return fram.lacksRecord(at: start) ? nil : MeasurementRecord(bits: fram.recordBits(at: start))
  }

  func slots(of ring: SampleRing) -> Ring {
    switch ring {
    case .trend: Ring(layout: MemoryMap.trend, nextSlot: trendIndex)
    case .history: Ring(layout: MemoryMap.history, nextSlot: historyIndex)
    }
  }

  // MARK: Footer

  public var region: SensorRegion? {
    integrity.footer.isTrusted ? SensorRegion(fram.byte(MemoryMap.region)) : nil
  }

  /// Minutes after which the history stops, 20 630…20 945 on real sensors.
  public var maxLifeMinutes: Int? {
    integrity.footer.isTrusted ? Int(fram.number(at: MemoryMap.maxLife)) : nil
  }

  /// Counts under which the sensor itself calls a signal low; 150 where the footer is not trusted, as on every
  /// Libre 1 seen.
  public var minimumRawGlucose: Int {
    integrity.footer.isTrusted ? Int(fram.byte(MemoryMap.minimumRawGlucose)) : 150
  }

  /// The family that the footer's constants belong to (verified on every reference memory).
  public var footerFamily: SensorFamily? {
    integrity.footer.isTrusted ? FooterFingerprint.family(of: fram) : nil
  }

  /// i1…i6; nil unless both the header, which holds i1 and i2, and the footer are trusted.
  public var calibrationParameters: CalibrationParameters? {
    integrity.header.isTrusted && integrity.footer.isTrusted ? CalibrationParameters(fram) : nil
  }

  /// The thermistor's own calibration, which needs only the footer.
  var thermistor: Thermistor? {
    integrity.footer.isTrusted ? Thermistor(i6: fram.value(of: MemoryMap.i6)) : nil
  }
}

extension FRAM {
  /// Checks the body and both ring indices.
  ///
  /// Throws `crcMismatch`, `blockMissing` or `ringIndexOutOfRange`. With `salvaging` a body whose checksum does not hold
  /// passes, marked so; its ring indices must still be possible.
  public func validated(salvaging: Bool = false) throws(MemoryError) -> ValidatedFRAM {
    try ValidatedFRAM(self, salvaging: salvaging)
  }
}
