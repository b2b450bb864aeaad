// SPDX-License-Identifier: Apache-2.0
package import NFCTransport
package import TextFormats

/// A directory on the card of a Flipper Zero.
package struct FlipperListing: Sendable {
  package let directory: FlipperPath
  package let files: [FlipperFile]

  package init(directory: FlipperPath, files: [FlipperFile]) {
    self.directory = directory
    self.files = files
  }
}

/// `libre.flipper_files/1`.
package enum FlipperFilesJSON {
  package static let document = SchemaDocument(
    "flipper_files", summary: "what a Flipper Zero has saved", description: "Files on the card of a Flipper Zero.",
    fields.members)

  package static func write(_ listing: FlipperListing, to writer: inout JSONWriter) {
    document.write(fields, listing, to: &writer)
  }

  private static let fields: Fields<FlipperListing> = [
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
