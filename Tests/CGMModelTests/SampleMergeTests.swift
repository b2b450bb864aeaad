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

  private func verdict(
    _ stored: RawSample, isSalvaged isStoredSalvaged: Bool = false, _ new: RawSample,
    salvaged isNewSalvaged: Bool = false
  ) -> SampleMerge.Verdict {
    SampleMerge.verdict(stored: stored, isStoredSalvaged: isStoredSalvaged, new: new, isNewSalvaged: isNewSalvaged)
  }

  @Test("equal counts are the same sample, whichever body they come from")
  func same() {
    #expect(verdict(Self.plain, Self.plain) == .same)
    #expect(verdict(Self.plain, isSalvaged: true, Self.plain) == .same)
    #expect(verdict(Self.flagged, Self.flagged, salvaged: true) == .same)
  }

  @Test("counts from a body with a valid checksum win over salvaged ones, in either order, even errors")
  func checked() {
    for (checked, salvaged) in [(Self.plain, Self.other), (Self.flagged, Self.plain), (Self.plain, Self.flagged)] {
      #expect(verdict(checked, salvaged, salvaged: true) == .keepStored)
      #expect(verdict(salvaged, isSalvaged: true, checked) == .takeNew)
    }
  }

  @Test("an error never replaces a good record, and a good record fills an error")
  func errors() {
    #expect(verdict(Self.plain, Self.flagged) == .keepStored)
    #expect(verdict(Self.flagged, Self.plain) == .takeNew)
    #expect(verdict(Self.plain, isSalvaged: true, Self.flagged, salvaged: true) == .keepStored)
    #expect(verdict(Self.flagged, isSalvaged: true, Self.plain, salvaged: true) == .takeNew)
  }

  @Test("of two contradictory salvaged records the same one wins in every order; of two checked ones the first")
  func contradicting() {
    let one = verdict(Self.plain, isSalvaged: true, Self.other, salvaged: true)
    let two = verdict(Self.other, isSalvaged: true, Self.plain, salvaged: true)
    #expect(Set([one, two]) == [.keepStored, .takeNew])
    #expect(verdict(Self.plain, Self.other) == .keepStored)
    #expect(verdict(Self.other, Self.plain) == .keepStored)
  }

  @Test("an error and a value do not contradict each other; two different counts do")
  func contradictions() {
    #expect(SampleMerge.isContradiction(Self.plain, Self.other))
    #expect(!SampleMerge.isContradiction(Self.plain, Self.flagged))
    #expect(!SampleMerge.isContradiction(Self.plain, Self.plain))
  }
}
