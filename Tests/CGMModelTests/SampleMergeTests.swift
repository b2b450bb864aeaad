// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct SampleMergeTests {
  private static func sample(_ glucose: UInt16, hasError: Bool = false) -> RawSample {
    RawSample(
      ring: .history, minute: SensorMinute(45), glucose: glucose, temperature: 6_552, temperatureAdjustment: -8,
      hasError: hasError, errorField: hasError ? 0x21 : 800, isNeverWritten: false)
  }
  private static let plain = sample(1_668)
  private static let other = sample(77)
  private static let flagged = sample(1_668, hasError: true)

  @Test("equal counts are one sample; a checked body wins over a salvaged one, then a good record over an error")
  func verdicts() {
    let (plain, other, flagged) = (Self.plain, Self.other, Self.flagged)
    for (stored, isStoredSalvaged, new, isNewSalvaged, verdict) in [
      (plain, false, plain, false, .same), (plain, true, plain, false, .same), (flagged, false, flagged, true, .same),
      (plain, false, other, true, .keepStored), (other, true, plain, false, .takeNew),
      (flagged, false, plain, true, .keepStored), (plain, true, flagged, false, .takeNew),
      (plain, false, flagged, true, .keepStored), (flagged, true, plain, false, .takeNew),
      (plain, false, flagged, false, .keepStored), (flagged, false, plain, false, .takeNew),
      (plain, true, flagged, true, .keepStored), (flagged, true, plain, true, .takeNew),
      // The first of two checked samples that contradict each other stays.
      (plain, false, other, false, .keepStored), (other, false, plain, false, .keepStored),
    ] as [(RawSample, Bool, RawSample, Bool, SampleMerge.Verdict)] {
      let found = SampleMerge.verdict(
        stored: stored, isStoredSalvaged: isStoredSalvaged, new: new, isNewSalvaged: isNewSalvaged)
      #expect(found == verdict, "\(stored), \(isStoredSalvaged), \(new), \(isNewSalvaged)")
    }
  }

  @Test("of two contradictory salvaged records the same one wins in every order; an error contradicts no value")
  func contradicting() {
    let verdicts = [(Self.plain, Self.other), (Self.other, Self.plain)].map {
      SampleMerge.verdict(stored: $0, isStoredSalvaged: true, new: $1, isNewSalvaged: true)
    }
    #expect(Set(verdicts) == [.keepStored, .takeNew])
    #expect(SampleMerge.isContradiction(Self.plain, Self.other))
    #expect(!SampleMerge.isContradiction(Self.plain, Self.flagged))
    #expect(!SampleMerge.isContradiction(Self.plain, Self.plain))
  }
}

struct RawSampleTests {
  @Test("a flagged record has the low nine error bits; without the flag the field, never zero on a Libre 1, means none")
  func errors() {
    let rows: [(isFlagged: Bool, field: UInt16, errors: MeasurementError)] = [
      (false, 0x320, []), (false, 0x7FF, []), (true, 0x220, .rfInterference),
      (true, 0x204, MeasurementError(rawValue: 4)), (true, 0x300, MeasurementError(rawValue: 0x100)), (true, 0x600, []),
    ]
    for row in rows {
      let sample = RawSample(
        ring: .trend, minute: SensorMinute(100), glucose: 1_000, temperature: 6_600, temperatureAdjustment: 0,
        hasError: row.isFlagged, errorField: row.field, isNeverWritten: false)
      #expect(sample.errors == row.errors, "\(row)")
    }
  }
}
