// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import NFCTransport

/// The files behind `sim:FILE` and `replay:FILE`, which their backends cannot open themselves.
enum SourceFiles {
  /// The bytes of a recording. Throws `fileUnreadable`.
  static func bytes(at path: String) throws(TransportError) -> [UInt8] {
    do {
      return try Files.read(path)
    } catch {
      throw .fileUnreadable(path: path, reason: error.message)
    }
  }

  /// The memory in a dump; nil if there is no such file. Throws `fileUnreadable`, also for a file that holds none.
  static func image(at path: String) throws(TransportError) -> MemoryImage? {
    let decoder = DumpDecoder()
    do {
      return try decoder.image(in: try decoder.open(path))
    } catch .input(.notFound) {
      return nil
    } catch {
      throw .fileUnreadable(path: path, reason: error.message)
    }
  }
}
