// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CSQLite
  import Libre1Core

  /// A file of a `FaultyDisk`: what is in it, what of that would survive a power cut, and who has locked what.
  struct DiskFile {
    private(set) var bytes: [UInt8]
    /// The content at the last sync.
    private var synced: [UInt8]
    private var unsynced: [Change] = []
    /// False until the folder that names it is synced.
    var isNamed: Bool

    private enum Change {
      case write(at: Int, [UInt8])
      case truncation(to: Int)
    }

    init(_ bytes: [UInt8], isNamed: Bool) {
      self.bytes = bytes
      synced = bytes
      self.isNamed = isNamed
    }

    mutating func write(_ new: [UInt8], at offset: Int) {
      Self.write(new, at: offset, of: &bytes)
      unsynced.append(.write(at: offset, new))
    }

    mutating func truncate(to size: Int) {
      guard size < bytes.count else { return }
      bytes.removeLast(bytes.count - size)
      unsynced.append(.truncation(to: size))
    }

    mutating func sync() {
      synced = bytes
      unsynced = []
    }

    private static func write(_ new: [UInt8], at offset: Int, of bytes: inout [UInt8]) {
      if bytes.count < offset + new.count {
        bytes += [UInt8](repeating: 0, count: offset + new.count - bytes.count)
      }
      bytes.replaceSubrange(offset..<offset + new.count, with: new)
    }

    /// What a power cut leaves: of all that was not synced each sector may be there or not, in whatever order.
    func survivor(_ random: inout SplitMix64) -> [UInt8] {
      var left = synced
      let sector = 512
      for change in unsynced {
        switch change {
        case .truncation(let size):
          if random.number(0...1) == 0, size < left.count { left.removeLast(left.count - size) }
        case .write(let offset, let new):
          switch random.number(0...2) {
          case 0: break
          case 1: Self.write(new, at: offset, of: &left)
          default:
            for start in stride(from: 0, to: new.count, by: sector) where random.number(0...1) == 0 {
              Self.write(Array(new[start..<min(start + sector, new.count)]), at: offset + start, of: &left)
            }
          }
        }
      }
      return left
    }

    // MARK: Locks of the file

    /// The level of each that has it open.
    private var levels: [Int: Int32] = [:]

    /// False while others are in the way.
    mutating func lock(_ level: Int32, by handle: Int) -> Bool {
      let others = levels.filter { $0.key != handle }.map(\.value).max() ?? SQLITE_LOCK_NONE
      switch level {
      case ...levels[handle, default: SQLITE_LOCK_NONE]: return true
      case SQLITE_LOCK_SHARED:
        guard others < SQLITE_LOCK_PENDING else { return false }
      case SQLITE_LOCK_RESERVED:
        guard others < SQLITE_LOCK_RESERVED else { return false }
      default:
        guard others < SQLITE_LOCK_RESERVED else { return false }
        // Nobody new may read; those who do may end.
        levels[handle] = SQLITE_LOCK_PENDING
        guard others < SQLITE_LOCK_SHARED else { return false }
      }
      levels[handle] = level
      return true
    }

    mutating func unlock(to level: Int32, by handle: Int) { levels[handle] = level }

    var isReserved: Bool { levels.values.contains { $0 >= SQLITE_LOCK_RESERVED } }

    // MARK: The log's index, which is in memory, and its locks

    /// Addresses, of as many bytes as `map` was asked for.
    private var regions: [UInt] = []
    private var mappers: Set<Int> = []
    private var readers: [Int: Set<Int>] = [:]
    private var owners: [Int: Int] = [:]

    /// The address of a region; nil if it is not there, and not to be made.
    mutating func region(_ index: Int, size: Int, isMade: Bool, for handle: Int) -> UInt? {
      mappers.insert(handle)
      while isMade, regions.count <= index {
        let region = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        region.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        regions.append(UInt(bitPattern: region))
      }
      return regions.indices.contains(index) ? regions[index] : nil
    }

    /// Where the last one leaves, the index is gone: whoever comes next makes it from the log.
    mutating func unmap(_ handle: Int) {
      unlock(slots: 0..<Int(SQLITE_SHM_NLOCK), by: handle)
      guard mappers.remove(handle) != nil, mappers.isEmpty else { return }
      for region in regions { UnsafeMutableRawPointer(bitPattern: region)?.deallocate() }
      regions = []
    }

    mutating func lock(slots: Range<Int>, isExclusive: Bool, by handle: Int) -> Bool {
      for slot in slots {
        if let owner = owners[slot], owner != handle { return false }
        if isExclusive, !readers[slot, default: []].subtracting([handle]).isEmpty { return false }
      }
      for slot in slots {
        if isExclusive { owners[slot] = handle } else { readers[slot, default: []].insert(handle) }
      }
      return true
    }

    mutating func unlock(slots: Range<Int>, by handle: Int) {
      for slot in slots {
        if owners[slot] == handle { owners[slot] = nil }
        readers[slot]?.remove(handle)
      }
    }
  }
#endif
