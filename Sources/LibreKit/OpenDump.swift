// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import DumpFormats

/// A dump file with a known format. Its memories are read on demand and once: open the file again for another time.
package struct OpenDump {
  /// The file with its digest; a reading also has the number of its memory.
  package internal(set) var source: ReadingSource
  let dumps: DumpSequence
  let file: DumpFile

  package var format: String { source.format ?? "" }
  package var path: String? { source.path }

  /// True if each line of the file has a memory of its own.
  var hasMemoriesInLines: Bool {
    file.plainText.map { DumpLines.haveMemories($0.prefix(InputFile.headCount)) } ?? false
  }
}
