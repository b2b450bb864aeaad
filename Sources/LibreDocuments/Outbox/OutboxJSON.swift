// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
public import SampleStore
import SampleSync
public import TextFormats

/// `libre.outbox/1`.
public enum OutboxJSON {
  public static let document = SchemaDocument(
    "outbox", summary: "what sinks lack, and what they would not take",
    description: "What sinks lack, and what they would not take.", fields.members)

  public static func write(_ listings: [OutboxListing], to writer: inout JSONWriter) {
    document.write(fields, listings, to: &writer)
  }

  private static let fields: Fields<[OutboxListing]> = [Field("sinks", array: sink) { $0 }]

  private static let sink: Fields<OutboxListing> = [
    Field("name") { $0.sink.name },
    Field("pending", .count) { $0.sink.pending },
    Field("oldest_pending_at", .time) { $0.sink.oldestPendingAt?.rfc3339 },
    Field("retry_at", .time) { $0.sink.retry?.at.rfc3339 },
    Field("dead", array: letter) { listing in
      listing.letters.map { ($0, $0.sample.identified().sample) }
    },
  ]

  private static let letter: Fields<(letter: DeadLetter, sample: GlucoseSample)> = [
    Field("id") { $0.sample.id?.description },
    Field("time", .time) { $0.sample.time?.rfc3339 },
    Field("ring", .measuredRing) { $0.sample.ring.rawValue },
    Field("minute", .ordinal) { $0.sample.minute.value },
    Field("glucose_mg_dl") { $0.sample.concentration?.milligramsPerDecilitre },
    Field("reason") { $0.letter.reason },
    Field("parked_at") { $0.letter.at.rfc3339 },
  ]
}

/// What a sink lacks and what it would not take.
public struct OutboxListing: Sendable {
  public let sink: StoredSink
  public let letters: [DeadLetter]

  public init(sink: StoredSink, letters: [DeadLetter]) {
    self.sink = sink
    self.letters = letters
  }
}
