// SPDX-License-Identifier: Apache-2.0

/// Decides between two samples of the same wear, ring and minute.
///
/// | two samples | result |
/// |---|---|
/// | equal counts | the same sample, seen twice |
/// | one from a body with a valid checksum, one salvaged | the checked one |
/// | one with the sensor's error flag, one without | the one without |
/// | both salvaged | the one with the larger counts: arbitrary, but independent of the order |
/// | otherwise | the first one: samples that were shown or sent are not replaced. Does not occur in the reference memories |
///
/// Rejected counts are kept as a conflict, unless exactly one of the two has the error flag: that is not a contradiction,
/// because the sensor had no value for that minute.
package enum SampleMerge {
  package enum Verdict: Hashable {
    case same, keepStored, takeNew
  }

  package static func verdict(stored: RawSample, isStoredSalvaged: Bool, new: RawSample, isNewSalvaged: Bool) -> Verdict
  {
    if stored == new { return .same }
    let (old, other) = (rank(stored, isStoredSalvaged), rank(new, isNewSalvaged))
    if old != other { return other > old ? .takeNew : .keepStored }
    return isNewSalvaged && isLarger(new, than: stored) ? .takeNew : .keepStored
  }

  package static func isContradiction(_ one: RawSample, _ other: RawSample) -> Bool {
    one != other && one.hasError == other.hasError
  }

  private static func isLarger(_ one: RawSample, than other: RawSample) -> Bool {
    (one.glucose, one.temperature, one.temperatureAdjustment, one.errorField ?? 0)
      > (other.glucose, other.temperature, other.temperatureAdjustment, other.errorField ?? 0)
  }

  private static func rank(_ raw: RawSample, _ isSalvaged: Bool) -> Int {
    (isSalvaged ? 0 : 2) + (raw.hasError ? 0 : 1)
  }
}

/// Counts that were rejected because the same minute has others.
package struct StoredConflict: Hashable, Sendable {
  package let kept: RawSample
  package let other: RawSample
  package let isOtherSalvaged: Bool

  package init(kept: RawSample, other: RawSample, isOtherSalvaged: Bool) {
    (self.kept, self.other, self.isOtherSalvaged) = (kept, other, isOtherSalvaged)
  }
}
