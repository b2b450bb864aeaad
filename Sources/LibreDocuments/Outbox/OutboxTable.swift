// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import LibreKit
import SampleStore
import TextFormats

/// Queued and parked samples of sinks, as text.
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
          letter.entry.minute.map { "minute \($0.value)" } ?? "", letter.reason,
        ]
      }
      text += Columns.lines(rows, [.left, .left, .right, .left]).map { "  \($0)\n" }.joined()
    }
    return text
  }
}
