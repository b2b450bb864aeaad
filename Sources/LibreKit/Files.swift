// SPDX-License-Identifier: Apache-2.0
import DumpFormats
import HostSystem

package enum Files {
  /// Reads all bytes of a file, or of standard input for `-`.
  package static func read(_ path: String, limit: Int = DumpFile.sizeLimit) throws(LibreError) -> [UInt8] {
    try libre(FileSystem.read(path, limit: limit))
  }

  /// Writes a file that only its owner can read, and its directories. With `keepsMode` an existing file keeps its mode.
  package static func writePrivate(_ bytes: [UInt8], to path: String, keepsMode: Bool) throws(LibreError) {
    try libre(FileSystem.makePrivate(path))
    let file = try libre(AtomicFile(path, isPrivate: true, keepsMode: keepsMode))
    try libre(file.append(bytes))
    try libre(file.finish())
  }
}
