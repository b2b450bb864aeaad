// SPDX-License-Identifier: Apache-2.0
import HostSystem
public import LibreKit
public import SampleStore

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
    return try libre(SensorStore(path, for: .writing))
  }

  /// Opens the store for writing; `missing` is thrown if it does not exist.
  package static func openExisting(_ path: String) throws(LibreError) -> SensorStore {
    _ = try openForReading(path)
    return try openForWriting(path)
  }

  package static func openInMemory() throws(LibreError) -> SensorStore {
    // SQLite's name for a database in memory.
    try libre(SensorStore(":memory:", for: .writing))
  }
}
