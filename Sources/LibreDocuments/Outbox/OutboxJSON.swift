// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import SampleStore
import SampleSync
public import TextFormats

/// `libre.outbox/1`.
public enum OutboxJSON {
  public static func write(_ listings: [OutboxListing], to writer: inout JSONWriter) {
    writer.object { json in
      json.member("schema", SchemaDocument.outbox.identifier)
      json.member("sinks") { json in
        json.array(listings) { json, listing in
          json.object { json in
            json.member("name", listing.sink.name)
            json.member("pending", listing.sink.pending)
            json.member("oldest_pending_at", listing.sink.oldestPendingAt?.rfc3339)
            json.member("retry_at", listing.sink.retry?.at.rfc3339)
            json.member("dead") { $0.array(listing.letters) { write($1, to: &$0) } }
          }
        }
      }
    }
  }

  private static func write(_ letter: DeadLetter, to writer: inout JSONWriter) {
    let sample = letter.sample.identified()
    writer.object { json in
      json.member("id", sample.sample.id?.description)
      json.member("time", sample.sample.time?.rfc3339)
      json.member("ring", sample.sample.ring.rawValue)
      json.member("minute", sample.sample.minute.value)
      json.member("glucose_mg_dl", sample.sample.concentration?.milligramsPerDecilitre, places: 4)
      json.member("reason", letter.reason)
      json.member("parked_at", letter.at.rfc3339)
    }
  }
}
