// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Keeps every program out of a database for as long as this value lives, this one's own connections included, so that
/// another file can take its name. Someone who has it open would go on writing to a file without a name.
package final class DatabaseLock {
  /// The bytes that SQLite locks for the writer and for readers (`PENDING_BYTE` and after it, in SQLite's `os.h`). Each
  /// connection to a database with a write-ahead log has one of them locked from its first statement to its end.
  private static let (start, length) = (0x4000_0000, 512)

  /// Linux's `F_OFD_GETLK` and `F_OFD_SETLK`, which Glibc declares for programs that ask for GNU's extensions.
  private static let (getLock, setLock): (Int32, Int32) = (36, 37)

  private let descriptor: Int32

  /// - Throws: `isOpen` while another program, or a connection of this one, has the database open.
  package init(_ path: String) throws(SQLiteFailure) {
    descriptor = open(path.fileName, O_RDWR | O_CLOEXEC)
    // This lock belongs to the open file: to read and close the database elsewhere in this process keeps it.
    if descriptor >= 0, Self.control(descriptor, Self.setLock) == nil {
      let process = Self.control(descriptor, Self.getLock)?.l_pid ?? 0
      throw SQLiteFailure(.isOpen(process: process > 0 ? process : nil), "another program has it open")
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// nil if the call fails.
  private static func control(_ descriptor: Int32, _ command: Int32) -> flock? {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    (lock.l_start, lock.l_len) = (start, length)
    return fcntl(descriptor, command, &lock) == 0 ? lock : nil
  }
}
