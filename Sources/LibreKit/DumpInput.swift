// SPDX-License-Identifier: Apache-2.0
import DumpFormats
import HostSystem

/// The content of a dump file: text and bytes are read and decompressed, a database stays on disk.
struct DumpInput {
  let file: DumpFile
  let path: String?
  /// The digest of the unchanged file.
  let sha256: String

  /// Reads a file.
  ///
  /// - Throws: `input`, and errors of `unpacking`.
  static func reading(_ file: InputFile) throws(LibreError) -> DumpInput {
    guard file.isDatabase else { return try unpacking(try file.bytes(), path: file.path) }
    if FileSystem.isStore(beginning: file.head) { throw .dump(.isStore) }
    let sha256 = try file.sha256()
    return DumpInput(file: DumpFile(DatabaseFile.magic, path: file.path), path: file.path, sha256: sha256)
  }

  /// Decompresses the bytes of a file; `path` is only stored.
  ///
  /// - Throws: `dump` for a compressed file that cannot be decompressed.
  static func unpacking(_ bytes: [UInt8], path: String?) throws(LibreError) -> DumpInput {
    do throws(DumpError) {
      let file = DumpFile(try Archive.unpacked(bytes))
      return DumpInput(file: file, path: path, sha256: SHA256Digest.hex(of: bytes))
    } catch {
      throw .dump(error)
    }
  }
}

/// Compressed files and archives that contain a dump.
private enum Archive {
  private static let zipMagic: [UInt8] = [0x50, 0x4B, 0x03, 0x04]

  /// Magic bytes of other formats; tar has them at byte 257.
  private static let others: [(magic: [UInt8], offset: Int, name: String, command: String)] = [
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], 0, "xz", "xz -dc FILE | libre decode -"),
    ([0x42, 0x5A, 0x68], 0, "bzip2", "bzip2 -dc FILE | libre decode -"),
    ([0x28, 0xB5, 0x2F, 0xFD], 0, "zstd", "zstd -dc FILE | libre decode -"),
    (Array("ustar".utf8), 257, "tar", "tar -xf FILE"),
  ]

  static func unpacked(_ bytes: [UInt8]) throws(DumpError) -> [UInt8] {
    if bytes.starts(with: zipMagic) { throw .isZip }
    for other in others where bytes.dropFirst(other.offset).starts(with: other.magic) {
      throw .isPacked(by: other.name, command: other.command)
    }
    return Gzip.isGzip(bytes) ? try Gzip.expanded(bytes, limit: DumpFile.sizeLimit) : bytes
  }
}
