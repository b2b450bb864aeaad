// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The samples of one ring, newest first, stored without heap memory.
@usableFromInline package struct DecodedRing<let slots: Int>: Sendable {
  @usableFromInline package let ring: SampleRing
  /// The number of samples with a minute above zero, 0…`slots`.
  @usableFromInline package let count: Int
  @usableFromInline let newestMinute: Int
  @usableFromInline let minutesPerSlot: Int
  @usableFromInline let rules: SampleRules
  /// Bit i is set if the bytes of the i-th newest record are in the memory.
  @usableFromInline let present: UInt64
  @usableFromInline let records: InlineArray<slots, UInt64>
  @usableFromInline let celsius: InlineArray<slots, Double>
  @usableFromInline let concentrations: InlineArray<slots, Double>
  /// It also makes the compiler pass this type by address, as any type with an existential, so that `self[index]` reads
  /// one element; otherwise the arrays would be copied to the stack for each sample.
  let model: AnyCalibrationModel

  /// A nil `newestMinute` means that nothing in it can be dated, and gives an empty ring.
  init(
    _ ring: SampleRing, layout: RingLayout, of memory: borrowing ValidatedFRAM, newestMinute: SensorMinute?,
    model: AnyCalibrationModel
  ) {
    self.ring = ring
    self.newestMinute = newestMinute?.value ?? 0
    minutesPerSlot = layout.minutesPerSlot
    count = min(slots, max(0, self.newestMinute / layout.minutesPerSlot))
    let thermistor = memory.thermistor
    rules = SampleRules(minimumRawGlucose: memory.minimumRawGlucose, hasThermistor: thermistor != nil)
    self.model = model
    let order = memory.slots(of: ring) ?? Ring(layout: layout, nextSlot: 0)
    present = Self.present(in: order, missing: memory.fram.missingBlocks)

    let bytes = memory.fram.bytes.span
    var records = InlineArray<slots, UInt64>(repeating: 0)
    var slot = order.nextSlot
    for index in 0..<slots {
      slot = slot == 0 ? slots &- 1 : slot &- 1
      records[index] = bytes.recordBits(at: layout.offset &+ slot &* MemoryMap.Record.byteCount)
    }
    var counts = InlineArray<slots, Double>(repeating: 0)
    var temperatures = InlineArray<slots, Double>(repeating: 0)
    var adjustments = InlineArray<slots, Double>(repeating: 0)
    for index in 0..<slots {
      let record = MeasurementRecord(bits: records[index])
      counts[index] = Double(Int32(truncatingIfNeeded: record.glucose))
      temperatures[index] = Double(Int32(truncatingIfNeeded: record.temperature))
      adjustments[index] = Double(Int32(truncatingIfNeeded: record.temperatureAdjustment))
    }
    var celsius = InlineArray<slots, Double>(repeating: .nan)
    if let thermistor {
      var output = celsius.mutableSpan
      thermistor.celsius(of: temperatures.span, adjustments: adjustments.span, into: &output)
    }
    var concentrations = InlineArray<slots, Double>(repeating: .nan)
    var output = concentrations.mutableSpan
    model.concentrations(
      of: counts.span, celsius: celsius.span, parameters: memory.calibrationParameters, into: &output)
    self.records = records
    self.celsius = celsius
    self.concentrations = concentrations
  }

  private static func present(in order: Ring, missing: BlockSet) -> UInt64 {
    if missing.isEmpty { return .max }
    var present: UInt64 = 0
    for index in 0..<slots where !missing.touches(order.bytes(newest: index)) {
      present |= 1 << UInt64(truncatingIfNeeded: index)
    }
    return present
  }

  /// The i-th newest sample; nil outside 0..<`count`, and if its bytes are missing in the dump.
  @inlinable package subscript(index: Int) -> GlucoseSample? {
    guard (0..<count).contains(index), present >> UInt64(truncatingIfNeeded: index) & 1 == 1 else { return nil }
    return sample(index, bits: records[index], celsius: celsius[index], concentration: concentrations[index])
  }

  @inlinable @inline(__always)
  func sample(_ index: Int, bits: UInt64, celsius: Double, concentration: Double) -> GlucoseSample {
    let raw = MeasurementRecord(bits: bits)
      .sample(ring: ring, minute: SensorMinute(newestMinute &- index &* minutesPerSlot))
    return rules.sample(raw, celsius: celsius, milligramsPerDecilitre: concentration)
  }

  /// Calls a function with each sample whose bytes are in the memory, newest first. The arrays are taken once, for the
  /// compiler of Embedded Swift, which otherwise copies them for each sample.
  @inlinable @inline(__always) package func forEachSample(_ body: (GlucoseSample) -> Void) {
    let (bits, celsius, concentrations) = (records.span, celsius.span, concentrations.span)
    for index in 0..<count where present >> UInt64(truncatingIfNeeded: index) & 1 == 1 {
      body(sample(index, bits: bits[index], celsius: celsius[index], concentration: concentrations[index]))
    }
  }

  package var samples: [GlucoseSample] { (0..<count).compactMap { self[$0] } }
}
