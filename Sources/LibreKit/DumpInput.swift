// SPDX-License-Identifier: Apache-2.0
import DumpFormats

/// A dump file as it was given, opened as far as its kind allows: text and bytes are read and unpacked, a database is left
/// where it lies.
struct DumpInput {
  let file: DumpFile
  let path: String?
  /// Of the file as it was given.
  let sha256: String

  /// Reads the file at `path`, or standard input for `-`. Throws `input`, and what `unpacking` throws.
  static func reading(_ path: String) throws(LibreError) -> DumpInput {
    if path != "-", try FileBytes.head(of: path, count: DatabaseFile.mark.count) == DatabaseFile.mark {
      let sha256 = try Fingerprint.sha256(ofFileAt: path)
      return DumpInput(file: DumpFile(DatabaseFile.mark, path: path), path: path, sha256: sha256)
    }
    return try unpacking(try FileBytes.read(path), path: path)
  }

  /// Takes the bytes of a file; `path` is only told on. Throws `dump` for a packed file that cannot be unpacked.
  static func unpacking(_ bytes: [UInt8], path: String?) throws(LibreError) -> DumpInput {
    do throws(DumpError) {
      let file = DumpFile(try Packed.unpacked(bytes))
      return DumpInput(file: file, path: path, sha256: Fingerprint.sha256(of: bytes))
    } catch {
      throw .dump(error)
    }
  }
}

/// Files that are a wrapping around a dump.
private enum Packed {
  private static let zipMark: [UInt8] = [0x50, 0x4B, 0x03, 0x04]

  static func unpacked(_ bytes: [UInt8]) throws(DumpError) -> [UInt8] {
    if bytes.starts(with: zipMark) { throw .isZip }
    return Gzip.isGzip(bytes) ? try Gzip.expanded(bytes, limit: DumpFile.sizeLimit) : bytes
  }
}
