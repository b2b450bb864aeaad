// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import DumpFormats

/// Writes dump files.
public enum DumpEncoder {
  /// The format that a file of this name is written in: by its extension, else hex, which holds all that is known.
  public static func writer(for path: String) -> any DumpWriter { writer(byExtensionOf: path) ?? HexDump() }

  /// The format that the extension of a file's name stands for; nil if it stands for none.
  public static func writer(byExtensionOf path: String) -> (any DumpWriter)? {
    Registry.dumpWriters.first { $0.fileExtension.map { path.lowercased().hasSuffix(".\($0)") } ?? false }
  }

  /// The format of this name or alias that can be written; nil if there is none.
  public static func writer(named name: String) -> (any DumpWriter)? {
    Registry.dumpWriters.first { $0.isCalled(name) }
  }

  /// The names of the formats that can be written, as help texts list them.
  public static var names: String { Registry.dumpWriters.map(\.name).joined(separator: ", ") }

  /// The image as a file. Notes go where a format has comments for people.
  ///
  /// Throws `dump` for an image that the format cannot hold without passing off something for the sensor's.
  public static func file(
    of image: MemoryImage, as writer: any DumpWriter, notes: [String] = []
  ) throws(LibreError) -> [UInt8] {
    do {
      return try writer.file(of: image, notes: notes)
    } catch {
      throw .dump(error)
    }
  }
}
