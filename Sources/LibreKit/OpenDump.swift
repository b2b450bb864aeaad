// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import DumpFormats

/// A dump file with a known format. Its memories are read one at a time, on demand and once: open the file again to
/// read them again.
package struct OpenDump {
  /// The file, its format and its digest; a reading also has the number of its memory.
  package internal(set) var source: ReadingSource
  let dumps: DumpSequence
  /// The content of the file.
  let file: DumpFile

  /// The format's name.
  package var format: String { source.format ?? "" }
  /// The given path; nil for bytes without a file.
  package var path: String? { source.path }

  /// True if each line of the file has a memory of its own.
  var hasMemoriesInLines: Bool {
    file.plainText.map { DumpLines.haveMemories($0.prefix(InputFile.headCount)) } ?? false
  }
}
