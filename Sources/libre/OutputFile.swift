// SPDX-License-Identifier: Apache-2.0
import HostSystem
import LibreKit

/// An output file that appears in full or not at all, or standard output. It is written in large pieces, because many
/// small writes are slow.
final class OutputFile {
  private let draft: AtomicFile?
  private let session: Session
  private var buffer: [UInt8] = []

  init(_ path: String?, session: Session) throws(LibreError) {
    self.session = session
    if let path { session.remark(ifPipe: path, isOutput: true) }
    draft = if let path, path != "-" { try libre(AtomicFile(path, isPrivate: true)) } else { nil }
  }

  func write(_ bytes: [UInt8]) throws(LibreError) {
    buffer += bytes
    if buffer.count > 1 << 16 { try flush() }
  }

  func finish() throws(LibreError) {
    try flush()
    try libre(draft?.finish())
  }

  /// Writes what was kept to fill a piece.
  func flush() throws(LibreError) {
    if let draft {
      try libre(draft.append(buffer))
    } else {
      try session.write(buffer)
    }
    buffer = []
  }
}
