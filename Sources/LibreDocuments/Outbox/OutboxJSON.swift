// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
package import SampleStore
import TextFormats

package typealias OutboxListing = (sink: StoredSink, letters: [ParkedEntry])

package enum OutboxJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "outbox", summary: "the samples that are queued or parked for sinks",
    description: "The samples that are queued (pending) or parked after a rejection (dead), by sink.", fields.members)

  package static let fields: Fields<[OutboxListing]> = [Field("sinks", array: sink) { $0 }]

  private static let sink: Fields<OutboxListing> = [
    Field("name") { $0.sink.name },
    Field("pending", .count) { $0.sink.queued },
    Field("oldest_pending_at") { $0.sink.oldestQueuedAt },
    Field("retry_at") { $0.sink.retry?.at },
    Field("dead", array: letter) { $0.letters },
  ]

  private static let letter: Fields<ParkedEntry> = [
    Field("id") { $0.entry.id?.description },
    Field("time") { $0.entry.time },
    Field("ring", .one(of: "history", "trend", "finger_stick", "blood_pressure")) { $0.entry.ringName },
    Field("minute", .ordinal, "Null for entries that are not a sensor's.") { $0.entry.stored?.sample.minute.value },
    Field("glucose_mg_dl") { $0.entry.concentration?.milligramsPerDecilitre },
    Field("reason") { $0.reason },
    Field("parked_at") { $0.at.rfc3339 },
  ]
}

extension HistoryEntry {
  var ringName: String {
    switch self {
    case .sensor(let stored): stored.sample.ring.rawValue
    case .imported(let imported): imported.ring.rawValue
    case .fingerStick: "finger_stick"
    case .bloodPressure: "blood_pressure"
    }
  }
}

package enum OutboxTable {
  package static func text(of listings: [OutboxListing], style: Style) -> String {
    var text = ""
    for listing in listings {
      let sink = listing.sink
      let oldest = sink.oldestQueuedAt.map { ", the oldest from \(LocalTime.text($0))" } ?? ""
      let retry = sink.retry.map { ", next attempt at \(LocalTime.text($0.at))" } ?? ""
      text += "\(style.bold(sink.name))  \(sink.queued) queued\(oldest)\(retry), \(sink.parked) parked\n"
      let rows = listing.letters.map { letter in
        [
          letter.entry.time.map(LocalTime.text) ?? "", letter.entry.ringName,
          letter.entry.stored.map { "minute \($0.sample.minute)" } ?? "", letter.reason,
        ]
      }
      text += Columns.indented(rows, [.left, .left, .right]).map { "\($0)\n" }.joined()
    }
    return text
  }
}
