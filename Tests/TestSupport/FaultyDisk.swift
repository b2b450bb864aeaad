// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CSQLite
  package import Libre1Core
  import Synchronization

  /// A disk in memory for SQLite's files, of which operations go wrong: one, all from one on, or at random with a seed.
  /// It knows what was synced, so that it can lose the rest.
  ///
  /// Paths below `folder` are files of it, for every connection of this process; all other paths are those of the system.
  package final class FaultyDisk: Sendable {
    private let state: Mutex<State>
    package let folder: String

    private struct State {
      var files: [Int: DiskFile] = [:]
      var names: [String: Int] = [:]
      /// Those whose removal is not synced: they may be back after a power cut.
      var removed: [String: Int] = [:]
      var lastNumber = 0
      var plan = Plan.none
      var hasDied = false
      var operations: [DiskOperation: Int] = [:]
      var faults: [DiskOperation: Int] = [:]

      mutating func number() -> Int {
        lastNumber += 1
        return lastNumber
      }

      /// Counts an operation, and says what goes wrong with it.
      mutating func fault(in operation: DiskOperation) -> DiskFault? {
        if hasDied { return .powerLoss }
        operations[operation, default: 0] += 1
        var struck: DiskFault?
        switch plan {
        case .none: break
        case .one(let fault, let number, let lasts):
          guard fault.strikes(operation) else { break }
          plan = .one(fault, in: number - 1, lasts: lasts)
          if number == 1 || lasts && number < 1 { struck = fault }
        case .storm(let oneIn, let faults, var random):
          let drawn = random.number(1...oneIn) == 1 ? faults[random.number(0...faults.count - 1)] : nil
          plan = .storm(oneIn: oneIn, faults, random)
          struck = drawn.flatMap { $0.strikes(operation) ? $0 : nil }
        }
        guard let struck else { return nil }
        faults[operation, default: 0] += 1
        if struck == .powerLoss { hasDied = true }
        return struck
      }

      mutating func status(_ operation: DiskOperation) -> Int32 {
        fault(in: operation).map { $0.status(of: operation) } ?? SQLITE_OK
      }
    }

    private enum Plan {
      case none
      case one(DiskFault, in: Int, lasts: Bool)
      case storm(oneIn: Int, [DiskFault], SplitMix64)
    }

    package init(_ contents: [String: [UInt8]] = [:]) {
      var state = State()
      for (name, bytes) in contents {
        let file = state.number()
        state.names[name] = file
        state.files[file] = DiskFile(bytes, isNamed: true)
      }
      self.state = Mutex(state)
      folder = FaultyDiskSystem.newFolder()
      FaultyDiskSystem.add(self)
    }

    deinit { FaultyDiskSystem.remove(folder) }

    package func path(_ name: String = "history.sqlite") -> String { "\(folder)/\(name)" }

    /// The files as they are.
    package var contents: [String: [UInt8]] {
      state.withLock { state in state.names.compactMapValues { state.files[$0]?.bytes } }
    }

    /// The files as they may be after a power cut.
    package func survivors(_ random: inout SplitMix64) -> [String: [UInt8]] {
      let drawn = random
      let (survivors, after) = state.withLock { state in
        var random = drawn
        var survivors: [String: [UInt8]] = [:]
        for (name, number) in (state.names.map { ($0.key, $0.value) }).sorted(by: { $0 < $1 }) {
          guard let file = state.files[number], file.isNamed || random.number(0...1) == 0 else { continue }
          survivors[name] = file.survivor(&random)
        }
        for (name, number) in (state.removed.map { ($0.key, $0.value) }).sorted(by: { $0 < $1 }) {
          guard survivors[name] == nil, random.number(0...1) == 0 else { continue }
          survivors[name] = state.files[number]?.survivor(&random)
        }
        return (survivors, random)
      }
      random = after
      return survivors
    }

    // MARK: Faults

    /// The `number`th operation from now on that the fault can strike goes wrong, from 1, and all after it if it `lasts`.
    package func strike(_ fault: DiskFault, at number: Int, lasts: Bool = false) {
      plan(.one(fault, in: number, lasts: lasts))
    }

    /// One operation in `oneIn` goes wrong, in any of these ways.
    package func storm(oneIn: Int, _ faults: [DiskFault], seed: UInt64) {
      plan(.storm(oneIn: oneIn, faults, SplitMix64(seed: seed)))
    }

    /// Nothing goes wrong any more. A disk that has died stays dead.
    package func mend() { plan(.none) }

    private func plan(_ plan: Plan) { state.withLock { $0.plan = plan } }

    package var hasDied: Bool { state.withLock { $0.hasDied } }
    package var operations: [DiskOperation: Int] { state.withLock { $0.operations } }
    /// Operations that went wrong.
    package var faults: [DiskOperation: Int] { state.withLock { $0.faults } }
    package var faultCount: Int { faults.values.reduce(0, +) }
  }

  // MARK: What SQLite asks

  extension FaultyDisk {
    /// The number of the file, and that of whoever has opened it; nil where it cannot be opened.
    func open(_ name: String, isMade: Bool) -> (file: Int, handle: Int)? {
      state.withLock { state in
        guard state.status(.open) == SQLITE_OK, isMade || state.names[name] != nil else { return nil }
        let handle = state.number()
        if let file = state.names[name] { return (file, handle) }
        let file = state.number()
        state.names[name] = file
        state.files[file] = DiskFile([], isNamed: false)
        return (file, handle)
      }
    }

    func delete(_ name: String, isSynced: Bool) -> Int32 {
      state.withLock { state in
        let status = state.status(.delete)
        guard status == SQLITE_OK else { return status }
        // SQLITE_IOERR_DELETE_NOENT.
        guard let file = state.names.removeValue(forKey: name) else { return DiskFault.detail(23) }
        state.removed[name] = isSynced ? nil : file
        return SQLITE_OK
      }
    }

    /// Whether it is there; an empty file is none for SQLite, which asks so.
    func has(_ name: String) -> (status: Int32, isThere: Bool) {
      state.withLock { ($0.status(.access), $0.names[name] != nil) }
    }

    func read(_ file: Int, into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int32 {
      let address = UInt(bitPattern: buffer.baseAddress)
      let count = buffer.count
      return state.withLock { state in
        let status = state.status(.read)
        guard status == SQLITE_OK, let start = UnsafeMutableRawPointer(bitPattern: address) else { return status }
        let bytes = state.files[file]?.bytes ?? []
        let part = bytes[min(offset, bytes.count)..<min(offset + count, bytes.count)]
        part.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: start, count: count).copyMemory(from: $0) }
        guard part.count < count else { return SQLITE_OK }
        (start + part.count).initializeMemory(as: UInt8.self, repeating: 0, count: count - part.count)
        return DiskFault.shortRead
      }
    }

    func write(_ bytes: [UInt8], to file: Int, at offset: Int) -> Int32 {
      state.withLock { state in
        if state.hasDied { return DiskFault.powerLoss.status(of: .write) }
        let fault = state.fault(in: .write)
        switch fault {
        case nil, .powerLoss: state.files[file]?.write(bytes, at: offset)
        case .full: state.files[file]?.write(Array(bytes.prefix(bytes.count / 2)), at: offset)
        case .fails, .locked: break
        }
        return fault?.status(of: .write) ?? SQLITE_OK
      }
    }

    func truncate(_ file: Int, to size: Int) -> Int32 {
      state.withLock { state in
        let status = state.status(.truncate)
        if status == SQLITE_OK { state.files[file]?.truncate(to: size) }
        return status
      }
    }

    func sync(_ file: Int) -> Int32 {
      state.withLock { state in
        let status = state.status(.sync)
        guard status == SQLITE_OK else { return status }
        state.files[file]?.sync()
        // With a new log or journal its folder is synced too.
        guard state.files[file]?.isNamed == false else { return status }
        for file in state.names.values { state.files[file]?.isNamed = true }
        state.removed = [:]
        return status
      }
    }

    func size(of file: Int) -> (status: Int32, size: Int) {
      state.withLock { ($0.status(.size), $0.files[file]?.bytes.count ?? 0) }
    }

    func lock(_ file: Int, _ level: Int32, by handle: Int) -> Int32 {
      state.withLock { state in
        let status = state.status(.lock)
        guard status == SQLITE_OK else { return status }
        return state.files[file]?.lock(level, by: handle) == true ? SQLITE_OK : SQLITE_BUSY
      }
    }

    func unlock(_ file: Int, to level: Int32, by handle: Int) {
      state.withLock { $0.files[file]?.unlock(to: level, by: handle) }
    }

    func isReserved(_ file: Int) -> Bool { state.withLock { $0.files[file]?.isReserved == true } }

    /// The address of a part of the log's index.
    func map(_ file: Int, _ index: Int, size: Int, isMade: Bool, for handle: Int) -> (status: Int32, address: UInt) {
      state.withLock { state in
        let status = state.status(.map)
        guard status == SQLITE_OK else { return (status, 0) }
        return (SQLITE_OK, state.files[file]?.region(index, size: size, isMade: isMade, for: handle) ?? 0)
      }
    }

    func lock(_ file: Int, slots: Range<Int>, isExclusive: Bool, by handle: Int) -> Int32 {
      state.withLock { state in
        let status = state.status(slots.lowerBound == 0 && isExclusive ? .writeLock : .mapLock)
        guard status == SQLITE_OK else { return status }
        let isFree = state.files[file]?.lock(slots: slots, isExclusive: isExclusive, by: handle) == true
        return isFree ? SQLITE_OK : SQLITE_BUSY
      }
    }

    func unlock(_ file: Int, slots: Range<Int>, by handle: Int) {
      state.withLock { $0.files[file]?.unlock(slots: slots, by: handle) }
    }

    func unmap(_ file: Int, by handle: Int) { state.withLock { $0.files[file]?.unmap(handle) } }

    func close(_ file: Int, by handle: Int) {
      state.withLock { state in
        state.files[file]?.unmap(handle)
        state.files[file]?.unlock(to: SQLITE_LOCK_NONE, by: handle)
      }
    }
  }
#endif
