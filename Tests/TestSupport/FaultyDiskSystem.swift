// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CSQLite
  import Foundation
  import Synchronization

  /// Shows SQLite the faulty disks: a file system that passes all other paths on to the system's own.
  enum FaultyDiskSystem {
    private static let root = "/libre-faulty-disk/"
    private static let disks = Mutex<(last: Int, open: [String: Reference])>((0, [:]))

    private struct Reference: Sendable {
      weak let disk: FaultyDisk?
    }

    static func newFolder() -> String {
      disks.withLock { disks in
        disks.last += 1
        return "\(root)\(disks.last)"
      }
    }

    static func add(_ disk: FaultyDisk) {
      _ = isRegistered
      disks.withLock { $0.open[disk.folder] = Reference(disk: disk) }
    }

    static func remove(_ folder: String) { _ = disks.withLock { $0.open.removeValue(forKey: folder) } }

    /// nil for a path of the system.
    private static func place(_ path: UnsafePointer<CChar>?) -> (disk: FaultyDisk, name: String)? {
      guard let path, root.withCString({ strncmp($0, path, root.utf8.count) }) == 0 else { return nil }
      let text = String(cString: path)
      guard let slash = text.lastIndex(of: "/") else { return nil }
      let disk = disks.withLock { $0.open[String(text[..<slash])]?.disk }
      return disk.map { ($0, String(text[text.index(after: slash)...])) }
    }

    // MARK: Open files

    /// What SQLite keeps room for: its own part, then ours.
    private struct Slot {
      var methods: UnsafePointer<sqlite3_io_methods>?
      var opened: Unmanaged<OpenFile>?
    }

    private final class OpenFile {
      let disk: FaultyDisk
      let file: Int
      let handle: Int

      init(_ disk: FaultyDisk, _ file: Int, _ handle: Int) {
        (self.disk, self.file, self.handle) = (disk, file, handle)
      }
    }

    private static func slot(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutablePointer<Slot>? {
      file.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Slot.self) }
    }

    /// Calls with an open file, which every file is that SQLite hands us.
    private static func with(
      _ file: UnsafeMutablePointer<sqlite3_file>?, _ work: (OpenFile) -> Int32
    ) -> Int32 {
      guard let opened = slot(file)?.pointee.opened else { return SQLITE_MISUSE }
      return work(opened.takeUnretainedValue())
    }

    nonisolated(unsafe) private static let methods: UnsafePointer<sqlite3_io_methods> = {
      let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
      methods.initialize(to: sqlite3_io_methods())
      // With the log's index, without mapped reading.
      methods.pointee.iVersion = 2
      methods.pointee.xClose = { file in
        let status = with(file) { opened in
          opened.disk.close(opened.file, by: opened.handle)
          return SQLITE_OK
        }
        slot(file)?.pointee.opened?.release()
        slot(file)?.pointee.opened = nil
        return status
      }
      methods.pointee.xRead = { file, buffer, count, offset in
        with(file) {
          $0.disk.read(
            $0.file, into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)), at: Int(offset))
        }
      }
      methods.pointee.xWrite = { file, buffer, count, offset in
        with(file) {
          let bytes = [UInt8](UnsafeRawBufferPointer(start: buffer, count: Int(count)))
          return $0.disk.write(bytes, to: $0.file, at: Int(offset))
        }
      }
      methods.pointee.xTruncate = { file, size in with(file) { $0.disk.truncate($0.file, to: Int(size)) } }
      methods.pointee.xSync = { file, _ in with(file) { $0.disk.sync($0.file) } }
      methods.pointee.xFileSize = { file, size in
        with(file) {
          let answer = $0.disk.size(of: $0.file)
          size?.pointee = sqlite3_int64(answer.size)
          return answer.status
        }
      }
      methods.pointee.xLock = { file, level in with(file) { $0.disk.lock($0.file, level, by: $0.handle) } }
      methods.pointee.xUnlock = { file, level in
        with(file) {
          $0.disk.unlock($0.file, to: level, by: $0.handle)
          return SQLITE_OK
        }
      }
      methods.pointee.xCheckReservedLock = { file, answer in
        with(file) {
          answer?.pointee = $0.disk.isReserved($0.file) ? 1 : 0
          return SQLITE_OK
        }
      }
      methods.pointee.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
      methods.pointee.xSectorSize = { _ in 4_096 }
      // As the system's own says of every file.
      methods.pointee.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
      methods.pointee.xShmMap = { file, index, size, isMade, address in
        with(file) {
          let answer = $0.disk.map($0.file, Int(index), size: Int(size), isMade: isMade != 0, for: $0.handle)
          address?.pointee = UnsafeMutableRawPointer(bitPattern: answer.address)
          return answer.status
        }
      }
      methods.pointee.xShmLock = { file, first, count, flags in
        with(file) {
          let slots = Int(first)..<Int(first + count)
          guard flags & SQLITE_SHM_LOCK != 0 else {
            $0.disk.unlock($0.file, slots: slots, by: $0.handle)
            return SQLITE_OK
          }
          return $0.disk.lock($0.file, slots: slots, isExclusive: flags & SQLITE_SHM_EXCLUSIVE != 0, by: $0.handle)
        }
      }
      methods.pointee.xShmBarrier = { _ in }
      methods.pointee.xShmUnmap = { file, _ in
        with(file) {
          $0.disk.unmap($0.file, by: $0.handle)
          return SQLITE_OK
        }
      }
      return UnsafePointer(methods)
    }()

    // MARK: Paths

    nonisolated(unsafe) private static let system: UnsafeMutablePointer<sqlite3_vfs>? = sqlite3_vfs_find(nil)

    /// It becomes the default, because a store is opened by its path alone; it takes the system's clock, chance and rest.
    private static let isRegistered: Bool = {
      // By another name: what C calls can capture nothing.
      guard let theirs = system else { return false }
      let ours = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
      ours.initialize(to: theirs.pointee)
      ours.pointee.zName = UnsafePointer(strdup("libre-faulty-disk"))
      ours.pointee.pNext = nil
      ours.pointee.szOsFile = max(theirs.pointee.szOsFile, Int32(MemoryLayout<Slot>.size))
      ours.pointee.xOpen = { _, path, file, flags, given in
        guard let (disk, name) = place(path) else {
          return system?.pointee.xOpen(system, path, file, flags, given) ?? SQLITE_ERROR
        }
        guard let place = slot(file) else { return SQLITE_MISUSE }
        // Without methods it is not closed either.
        place.pointee = Slot(methods: nil, opened: nil)
        guard let opened = disk.open(name, isMade: flags & SQLITE_OPEN_CREATE != 0) else { return SQLITE_CANTOPEN }
        // Temporary files, which are deleted when they are closed, have no path of ours.
        let handle = OpenFile(disk, opened.file, opened.handle)
        place.pointee = Slot(methods: methods, opened: Unmanaged.passRetained(handle))
        given?.pointee = flags
        return SQLITE_OK
      }
      ours.pointee.xDelete = { _, path, isSynced in
        guard let (disk, name) = place(path) else {
          return system?.pointee.xDelete(system, path, isSynced) ?? SQLITE_ERROR
        }
        return disk.delete(name, isSynced: isSynced != 0)
      }
      ours.pointee.xAccess = { _, path, question, answer in
        guard let (disk, name) = place(path) else {
          return system?.pointee.xAccess(system, path, question, answer) ?? SQLITE_ERROR
        }
        let (status, isThere) = disk.has(name)
        answer?.pointee = isThere ? 1 : 0
        return status
      }
      ours.pointee.xFullPathname = { _, path, capacity, full in
        guard place(path) != nil, let path, let full, strlen(path) < Int(capacity) else {
          return system?.pointee.xFullPathname(system, path, capacity, full) ?? SQLITE_ERROR
        }
        memcpy(full, path, strlen(path) + 1)
        return SQLITE_OK
      }
      return sqlite3_vfs_register(ours, 1) == SQLITE_OK
    }()
  }
#endif
