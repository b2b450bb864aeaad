// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// Path and opening of the store: by default `history.sqlite` in `$XDG_DATA_HOME/libre`, readable by its owner only.
public enum StoreFile {
  /// - Throws: `LibreError.store`: `missing` if nothing was stored yet.
  package static func openForReading(_ path: String) throws(LibreError) -> SensorStore {
    try libre(SensorStore(path, for: .reading))
  }

  package static func openIfPresent(_ path: String) throws(LibreError) -> SensorStore? {
    do throws(LibreError) {
      return try openForReading(path)
    } catch {
      guard case .missing = error.cause as? StoreError else { throw error }
      return nil
    }
  }

  /// Opens the store for writing, and creates it and its directory if needed.
  /// - Throws: `LibreError.store`.
  public static func openForWriting(_ path: String) throws(LibreError) -> SensorStore {
    do throws(OutputError) {
      try FileSystem.makePrivate(path)
    } catch .refused(_, let number) {
      throw .store(.cannotOpen(path: path, words: FileSystem.text(number)))
    } catch {
      throw .output(error)
    }
    let keepsLog: Bool
    do {
      let store = try libre(SensorStore(path, for: .writing))
      keepsLog = try libre(store.keepsLog())
      if !keepsLog { return store }
    }
    try renew(path)
    return try libre(SensorStore(path, for: .writing))
  }

  /// Makes a new file of a store and the log that was kept after a disk has failed, unless another program has it open.
  private static func renew(_ path: String) throws(LibreError) {
    guard let lock = try? DatabaseLock(path) else { return }
    try replace(path, by: libre(SensorStore(path, for: .locked))) { try $0.requireIntact(as: path) }
    withExtendedLifetime(lock) {}
    try libre(SensorStore(path, for: .writing).setKeepsLog(false))
  }

  /// Puts a copy of a store in the place of the file at `path`, once `work` has checked it; if `work` fails, that file stays.
  package static func replace<Value>(
    _ path: String, by store: SensorStore, _ work: (SensorStore) throws -> Value
  ) throws(LibreError) -> Value {
    let draft = try libre(AtomicFile(path, isPrivate: true, isDatabase: true))
    guard let name = draft.name else { preconditionFailure("a database has a name from the start") }
    do throws(StoreError) {
      try store.copy(to: name)
    } catch {
      if case .diskFull = error { throw .output(.noSpace(path: path)) }
      throw .store(error)
    }
    let value = try libre(work(openForReading(name)))
    // The log of the old file would be applied to the new one.
    for suffix in ["-wal", "-shm", "-journal"] where FileSystem.exists(path + suffix) {
      try libre(FileSystem.remove(path + suffix))
    }
    try libre(draft.finish())
    return value
  }

  package static func openInMemory() throws(LibreError) -> SensorStore {
    // SQLite's name for a database in memory.
    try libre(SensorStore(":memory:", for: .writing))
  }
}

extension SensorStore {
  /// - Throws: `corrupt` with the first fault; `path` is the store of which this one is a copy.
  package func requireIntact(as path: String) throws(StoreError) {
    if let fault = try faults().first { throw .corrupt(path: path, words: fault) }
  }
}
