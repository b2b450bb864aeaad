// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Two samples of the same wear, ring and minute: which of them stands.
///
/// | | |
/// |---|---|
/// | the same counts | the same sample, seen twice |
/// | one from a body whose checksum held, one salvaged | the checked one |
/// | one with the sensor's error flag, one without | the one without |
/// | else | the one that was there first |
///
/// What does not stand is kept as a conflict. The order in which scans are stored makes no difference, but where two
/// checked scans of a sensor contradict each other, which none of the reference memories does.
enum SampleMerge {
  enum Verdict: Hashable {
    case same
    case keepStored
    case takeNew
  }

  static func verdict(
    stored: RawSample, isStoredSalvaged: Bool, new: RawSample, isNewSalvaged: Bool
  ) -> Verdict {
    if stored == new { return .same }
    return rank(new, isNewSalvaged) > rank(stored, isStoredSalvaged) ? .takeNew : .keepStored
  }

  private static func rank(_ raw: RawSample, _ isSalvaged: Bool) -> Int {
    (isSalvaged ? 0 : 2) + (raw.hasError ? 0 : 1)
  }
}
