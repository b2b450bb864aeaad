// SPDX-License-Identifier: Apache-2.0
import LibreKit
public import SampleStore

/// What a sink lacks and what it would not take.
public struct OutboxListing: Sendable {
  public let sink: StoredSink
  public let letters: [DeadLetter]

  public init(sink: StoredSink, letters: [DeadLetter]) {
    self.sink = sink
    self.letters = letters
  }
}
