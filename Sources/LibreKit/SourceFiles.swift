// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import NFCTransport

/// Opens the files of `sim:FILE` and `replay:FILE` for their backends.
enum SourceFiles {
  static func bytes(at path: String) throws(TransportError) -> [UInt8] {
    do { return try Files.read(path) } catch { throw .fileUnreadable(path: path, reason: error.message) }
  }

  /// The memory in a dump; nil if the file does not exist.
  /// - Throws: `fileUnreadable`, also for a file without a memory.
  static func image(at path: String) throws(TransportError) -> MemoryImage? {
    let decoder = DumpDecoder()
    do {
      return try decoder.image(in: try decoder.open(path))
    } catch {
      if error.cause as? InputError == .notFound { return nil }
      throw .fileUnreadable(path: path, reason: error.message)
    }
  }
}
