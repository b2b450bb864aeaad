// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CSQLite
  import Foundation

  /// What a database asks of its disk.
  package enum DiskOperation: String, Hashable, Sendable, CaseIterable {
    case open, delete, access, read, write, truncate, sync, size, lock
    /// A part of the log's index, which is made if need be.
    case map
    /// The lock of the writer.
    case writeLock
    /// A lock of readers, of a checkpoint, or of recovery.
    case mapLock
  }

  /// A fault of an operation.
  package enum DiskFault: String, Hashable, Sendable, CaseIterable {
    /// The medium, the cable or the file system fails.
    case fails
    /// Nothing more fits: a write ends half way.
    case full
    /// Another process has the lock.
    case locked
    /// The machine dies: nothing more is done, and of what was not synced any part may be there afterwards.
    case powerLoss

    func strikes(_ operation: DiskOperation) -> Bool {
      switch self {
      case .fails: true
      case .full: [.write, .truncate, .sync, .map].contains(operation)
      case .locked: [.lock, .writeLock].contains(operation)
      case .powerLoss: [.open, .delete, .write, .truncate, .sync].contains(operation)
      }
    }

    /// What the operation says, as the file systems of Unix do; `errno` is set.
    func status(of operation: DiskOperation) -> Int32 {
      errno = self == .full ? ENOSPC : EIO
      if self == .locked { return SQLITE_BUSY }
      return switch operation {
      case .open: SQLITE_CANTOPEN
      case .delete: DiskFault.detail(10)
      case .access: DiskFault.detail(13)
      case .read: DiskFault.detail(1)
      case .write: self == .full ? SQLITE_FULL : DiskFault.detail(3)
      case .truncate: DiskFault.detail(6)
      case .sync: DiskFault.detail(4)
      case .size: DiskFault.detail(7)
      case .lock: DiskFault.detail(15)
      case .map: DiskFault.detail(self == .full ? 19 : 21)
      case .writeLock, .mapLock: DiskFault.detail(20)
      }
    }

    /// SQLITE_IOERR with its detail, which are macros that Swift does not see.
    static func detail(_ number: Int32) -> Int32 { SQLITE_IOERR | number << 8 }
    /// The rest of what was asked for is zeros: the file is shorter. This is not a fault.
    static let shortRead = detail(2)
  }
#endif
