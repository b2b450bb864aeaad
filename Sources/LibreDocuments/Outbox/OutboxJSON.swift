// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
package import SampleStore
import SampleSync
package import TextFormats

/// `libre.outbox/1`.
package enum OutboxJSON {
  package static let document = SchemaDocument(
    "outbox", summary: "the samples that are queued or parked for sinks",
    description: "The samples that are queued (pending) or parked after a rejection (dead), by sink.", fields.members)

  package static func write(_ listings: [OutboxListing], to writer: inout JSONWriter) {
    document.write(fields, listings, to: &writer)
  }

  private static let fields: Fields<[OutboxListing]> = [Field("sinks", array: sink) { $0 }]

  private static let sink: Fields<OutboxListing> = [
    Field("name") { $0.sink.name },
    Field("pending", .count) { $0.sink.queued },
    Field("oldest_pending_at", .time) { $0.sink.oldestQueuedAt?.rfc3339 },
    Field("retry_at", .time) { $0.sink.retry?.at.rfc3339 },
    Field("dead", array: letter) { $0.letters },
  ]

  private static let letter: Fields<ParkedEntry> = [
    Field("id") { $0.entry.id?.description },
    Field("time", .time) { $0.entry.time?.rfc3339 },
    Field("ring", .one(of: "history", "trend", "finger_stick", "blood_pressure")) { $0.entry.ringName },
    Field("minute", .ordinal, "Null for entries that libre did not read from a sensor.") { $0.entry.minute?.value },
    Field("glucose_mg_dl") { $0.entry.concentration?.milligramsPerDecilitre },
    Field("reason") { $0.reason },
    Field("parked_at") { $0.at.rfc3339 },
  ]
}

extension HistoryEntry {
  /// The ring's name in `libre.sample/1`.
  var ringName: String {
    switch self {
    case .sensor(let stored): stored.sample.ring.rawValue
    case .imported(let imported): imported.ring.rawValue
    case .fingerStick: "finger_stick"
    case .bloodPressure: "blood_pressure"
    }
  }

  /// The sensor's minute; nil for entries that libre did not read from a sensor.
  var minute: SensorMinute? { stored?.sample.minute }
}

/// A sink with its parked samples.
package struct OutboxListing: Sendable {
  package let sink: StoredSink
  package let letters: [ParkedEntry]

  package init(sink: StoredSink, letters: [ParkedEntry]) {
    self.sink = sink
    self.letters = letters
  }
}
