// SPDX-License-Identifier: Apache-2.0
package import DumpFormats
import HostSystem

/// The content of a dump file: text and bytes are read and decompressed, a database stays on disk.
package struct DumpInput {
  package let file: DumpFile
  let path: String?
  package let sha256: String
  /// The reason why the file is not read as it is, although a search may find memories in it: it is an archive.
  var refusal: DumpError?

  /// Reads a file.
  /// - Throws: `input`, and errors of `unpacking`; for a file of memories in lines that is too large, `dump` with the way
  ///   to read it.
  package static func reading(_ file: InputFile) throws(LibreError) -> DumpInput {
    guard file.isDatabase else {
      do throws(LibreError) {
        return try unpacking(try file.bytes(), path: file.path)
      } catch {
        guard let (found, limit) = error.excess,
          DumpLines.haveMemories(file.content, DumpDetector(formats: Catalogue.standard.dumpFormats))
        else { throw error }
        throw .dump(.tooLarge(found: found, limit: limit, areLines: true))
      }
    }
    if FileSystem.isStore(beginning: file.head) { throw .dump(.isStore) }
    let sha256 = try file.sha256()
    return DumpInput(file: DumpFile(ForeignDatabase.signature, path: file.path), path: file.path, sha256: sha256)
  }

  /// Decompresses the bytes of a file; `path` is only stored.
  static func unpacking(_ bytes: [UInt8], path: String?) throws(LibreError) -> DumpInput {
    let (content, refusal) = try libre(Archive.unpacked(bytes))
    return DumpInput(
      file: DumpFile(content), path: path, sha256: HashFunction.sha256.hex(of: bytes), refusal: refusal)
  }
}

extension LibreError {
  var excess: (found: Int?, limit: Int)? {
    if case .tooLarge(let found, let limit) = cause as? InputError { return (found, limit) }
    if case .tooLarge(let found, let limit, _) = cause as? DumpError { return (found, limit) }
    return nil
  }
}

/// A dump file with a known format. Its memories are read on demand and once: open the file again for another time.
package struct OpenDump {
  /// The file with its digest; a reading also has the number of its memory.
  package internal(set) var source: ReadingSource
  package let dumps: DumpSequence
  let file: DumpFile
  let detector: DumpDetector

  package var format: String { source.format ?? "" }
  package var path: String? { source.path }

  var hasMemoriesInLines: Bool {
    file.plainText.map { DumpLines.haveMemories($0.prefix(InputFile.headCount), detector) } ?? false
  }
}
