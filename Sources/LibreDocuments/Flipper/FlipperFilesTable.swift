// SPDX-License-Identifier: Apache-2.0
import NFCTransport
import TextFormats

/// Table of the files on a Flipper Zero, for people.
package enum FlipperFilesTable {
  /// Lines, each with its line end.
  package static func text(of listing: FlipperListing, style: Style) -> String {
    if listing.files.isEmpty {
      return "No file in \(listing.directory).\n"
        + "  Save a sensor on the Flipper: NFC, Read, hold it on the sensor, More, Save.\n"
    }
    let rows = listing.files.map { file in
      [SafeText.line(file.name) + (file.byteCount == nil ? "/" : ""), file.byteCount.map(String.init) ?? ""]
    }
    return Columns.table(["file", "bytes"], rows, [.left, .right], style: style).map { $0 + "\n" }.joined()
  }
}
