// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// The samples of one ring, newest first, held without the heap.
public struct DecodedRing<let slots: Int>: Sendable {
  public let ring: SampleRing
  /// Places of samples, 0…`slots`: those whose minute is above zero.
  public let count: Int
  private let newestMinute: Int
  private let minutesPerSlot: Int
  private let rules: SampleRules
  private var records: InlineArray<slots, UInt64>
  private var celsius: InlineArray<slots, Double>
  private var concentrations: InlineArray<slots, Double>
  /// Bit i: the bytes of the i-th newest record are in the memory.
  private var present: UInt64 = 0

  /// Reads, places and calibrates one ring. A nil `newestMinute` means that nothing in it can be dated: it is empty.
  init(
    _ ring: SampleRing, layout: RingLayout, of memory: borrowing ValidatedFRAM, newestMinute: SensorMinute?,
    model: any CalibrationModel, parameters: CalibrationParameters?
  ) {
    self.ring = ring
    self.newestMinute = newestMinute?.value ?? 0
    minutesPerSlot = layout.minutesPerSlot
    count = min(slots, max(0, self.newestMinute / layout.minutesPerSlot))
    let thermistor = memory.thermistor
    rules = SampleRules(minimumRawGlucose: memory.minimumRawGlucose, hasThermistor: thermistor != nil)
    records = InlineArray(repeating: 0)
    celsius = InlineArray(repeating: .nan)
    concentrations = InlineArray(repeating: .nan)
    guard count > 0 else { return }

    var counts = InlineArray<slots, Double>(repeating: 0)
    var temperatures = InlineArray<slots, Double>(repeating: 0)
    var adjustments = InlineArray<slots, Double>(repeating: 0)
    let order = memory.slots(of: ring)
    for index in 0..<slots {
      let start = order.bytes(newest: index).lowerBound
      guard !memory.fram.lacksRecord(at: start) else { continue }
      let record = MeasurementRecord(bits: memory.fram.recordBits(at: start))
      present |= 1 << UInt64(truncatingIfNeeded: index)
      records[index] = record.bits
      counts[index] = Double(record.glucose)
      temperatures[index] = Double(record.temperature)
      adjustments[index] = Double(record.temperatureAdjustment)
    }
    if let thermistor {
      var output = celsius.mutableSpan
      thermistor.celsius(of: temperatures.span, adjustments: adjustments.span, into: &output)
    }
    var output = concentrations.mutableSpan
    model.concentrations(of: counts.span, celsius: celsius.span, parameters: parameters, into: &output)
  }

  /// The i-th newest sample; nil outside 0..<`count` and where the dump lacks its bytes.
  public subscript(index: Int) -> GlucoseSample? {
    guard (0..<count).contains(index), present >> UInt64(truncatingIfNeeded: index) & 1 == 1 else { return nil }
    let raw = MeasurementRecord(bits: records[index])
      .sample(ring: ring, minute: SensorMinute(newestMinute &- index &* minutesPerSlot))
    return rules.sample(raw, celsius: celsius[index], milligramsPerDecilitre: concentrations[index])
  }

  /// All samples that the memory holds, newest first.
  public var samples: [GlucoseSample] { (0..<count).compactMap { self[$0] } }
}
