// SPDX-License-Identifier: Apache-2.0

/// How far two decoders are apart over many memories.
struct Agreement {
  private(set) var memories = 0
  private(set) var values = 0
  private(set) var largestDifference = 0.0
  private(set) var minutesAgree = true

  mutating func compare(_ ours: [[Value]], with published: [[Value]]) {
    memories += 1
    for (ours, published) in zip(ours, published) {
      minutesAgree = minutesAgree && ours.map(\.minute) == published.map(\.minute)
      for (our, their) in zip(ours, published) {
        values += 1
        largestDifference = max(
          largestDifference, (our.milligramsPerDecilitre - their.milligramsPerDecilitre).magnitude)
      }
    }
  }
}
