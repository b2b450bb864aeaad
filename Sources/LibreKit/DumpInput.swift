// SPDX-License-Identifier: Apache-2.0
import DumpFormats
import HostSystem

/// A dump file as it was given, opened as far as its kind allows: text and bytes are read and unpacked, a database is left
/// where it lies.
struct DumpInput {
  let file: DumpFile
  let path: String?
  /// Of the file as it was given.
  let sha256: String

  /// Reads a file. Throws `input`, and what `unpacking` throws.
  static func reading(_ file: InputFile) throws(LibreError) -> DumpInput {
    guard file.isDatabase else { return try unpacking(try file.bytes(), path: file.path) }
    if FileSystem.isStore(beginning: file.head) { throw .dump(.isStore) }
    let sha256 = try file.sha256()
    return DumpInput(file: DumpFile(DatabaseFile.magic, path: file.path), path: file.path, sha256: sha256)
  }

  /// Takes the bytes of a file; `path` is only told on. Throws `dump` for a packed file that cannot be unpacked.
  static func unpacking(_ bytes: [UInt8], path: String?) throws(LibreError) -> DumpInput {
    do throws(DumpError) {
      let file = DumpFile(try Packed.unpacked(bytes))
      return DumpInput(file: file, path: path, sha256: SHA256Digest.hex(of: bytes))
    } catch {
      throw .dump(error)
    }
  }
}

/// Files that are a wrapping around a dump.
private enum Packed {
  private static let zipMark: [UInt8] = [0x50, 0x4B, 0x03, 0x04]

  /// What a file of each begins with; tar has its name at byte 257.
  private static let others: [(signature: [UInt8], offset: Int, name: String, command: String)] = [
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], 0, "xz", "xz -dc FILE | libre decode -"),
    ([0x42, 0x5A, 0x68], 0, "bzip2", "bzip2 -dc FILE | libre decode -"),
    ([0x28, 0xB5, 0x2F, 0xFD], 0, "zstd", "zstd -dc FILE | libre decode -"),
    (Array("ustar".utf8), 257, "tar", "tar -xf FILE"),
  ]

  static func unpacked(_ bytes: [UInt8]) throws(DumpError) -> [UInt8] {
    if bytes.starts(with: zipMark) { throw .isZip }
    for other in others where bytes.dropFirst(other.offset).starts(with: other.signature) {
      throw .isPacked(by: other.name, command: other.command)
    }
    return Gzip.isGzip(bytes) ? try Gzip.expanded(bytes, limit: DumpFile.sizeLimit) : bytes
  }
}
