// SPDX-License-Identifier: Apache-2.0
package import DumpFormats

package enum DumpEncoder {
  /// The format for a file name: by its extension, else hex, which can hold everything.
  package static func writer(for path: String) -> any DumpWriter { writer(byExtensionOf: path) ?? HexDump() }

  package static func writer(byExtensionOf path: String) -> (any DumpWriter)? {
    Catalogue.standard.dumpWriters.first { $0.fileExtension.map { path.lowercased().hasSuffix(".\($0)") } ?? false }
  }

  package static func writer(named name: String) -> (any DumpWriter)? {
    Catalogue.standard.dumpWriters.first { $0.isCalled(name) }
  }

  package static var names: String { Catalogue.standard.dumpWriters.map(\.name).joined(separator: ", ") }

  /// The formats that a file name can tell, each with its extension.
  package static var extensions: String {
    Catalogue.standard.dumpWriters.compactMap { writer in
      writer.fileExtension.map { "\(writer.name) (.\($0))" }
    }.joined(separator: ", ")
  }

  /// Encodes the image as a `libre.dump/1` on one line, with its line end.
  /// - Throws: `dump` for an image of a length that no sensor has.
  package static func line(of image: MemoryImage) throws(LibreError) -> [UInt8] {
    let file = try file(of: image, as: ReadingDump())
    // No string in it has a line end.
    return file.split(separator: UInt8(ascii: "\n")).flatMap { $0.drop { $0 == UInt8(ascii: " ") } } + [0x0A]
  }

  /// Encodes the image as a file, unless the format would have to invent data. Notes become comments if it has them.
  package static func file(
    of image: MemoryImage, as writer: any DumpWriter, notes: [String] = []
  ) throws(LibreError) -> [UInt8] {
    try libre(writer.file(of: image, notes: notes))
  }
}
