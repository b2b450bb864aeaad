// SPDX-License-Identifier: Apache-2.0
import HostSystem
package import NFCTransport
import TextFormats

/// `libre.reader_change/1`, and the same as a line of text.
package enum ReaderChangeDocument: FieldsDocument {
  package static let document = SchemaDocument(
    "reader_change", summary: "a change of the readers, one per line (libre readers --watch --json)",
    description:
      "A reader that was plugged in or is gone, or a sensor that came or went. Those that are there come first.",
    fields.members)

  package static let fields: Fields<(change: ReaderChange, at: Instant)> = [
    Field("change", .one(of: ReaderChange.Kind.self)) { $0.change.kind.rawValue },
    Field("at") { $0.at },
    Field("address", .string.matching("^[a-z]+(:.+)?$"), "The value for --reader.") {
      $0.change.reader.address.description
    },
    Field("name", .string, "The driver's name for it.") { $0.change.reader.name },
  ]

  package static func line(for change: ReaderChange, at time: Instant) -> String {
    let word = change.kind.rawValue.replacing("_", with: " ")
    let padding = String(repeating: " ", count: 10 - word.count)
    return "\(LocalTime.text(time))  \(word)\(padding)  \(SafeText.line(change.reader.name))\n"
  }
}
