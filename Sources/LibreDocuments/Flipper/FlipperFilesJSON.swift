// SPDX-License-Identifier: Apache-2.0
package import NFCTransport
import TextFormats

/// A directory on the card of a Flipper Zero.
package typealias FlipperListing = (directory: FlipperPath, files: [FlipperFile])

package enum FlipperFilesJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "flipper_files", summary: "what a Flipper Zero has saved", description: "Files on the card of a Flipper Zero.",
    fields.members)

  package static let fields: Fields<FlipperListing> = [
    Field("directory", .string.matching("^/")) { $0.directory.description },
    Field("files", array: file) { listing in listing.files.map { (listing.directory, $0) } },
  ]

  private static let file: Fields<(directory: FlipperPath, file: FlipperFile)> = [
    Field("name") { $0.file.name },
    Field("path", .string.matching("^/"), "As for libre flipper get.") { "\($0.directory)/\($0.file.name)" },
    Field("is_directory") { $0.file.byteCount == nil },
    Field("size_bytes", .count, "Null for a directory.") { $0.file.byteCount },
  ]
}

package enum FlipperFilesTable {
  package static func text(of listing: FlipperListing, style: Style) -> String {
    if listing.files.isEmpty {
      return "No file in \(listing.directory).\n"
        + "  Save a sensor on the Flipper: NFC, Read, hold it on the sensor, More, Save.\n"
    }
    let rows = listing.files.map { file in
      [file.name + (file.byteCount == nil ? "/" : ""), file.byteCount.map(String.init) ?? ""]
    }
    return Columns.table(["file", "bytes"], rows, [.left, .right], style: style).map { $0 + "\n" }.joined()
  }
}
