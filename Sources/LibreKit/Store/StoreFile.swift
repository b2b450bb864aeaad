// SPDX-License-Identifier: Apache-2.0
import HostSystem
public import SampleStore

/// Where the store is, and how it is opened: `history.sqlite` in `$XDG_DATA_HOME/libre`, readable by its owner only.
public enum StoreFile {
  /// The setting's path, or the usual place: below `XDG_DATA_HOME`, else below `~/.local/share`; nil if none can be told.
  public static func path(setting: String, environment: [String: String]) -> String? {
    setting.isEmpty ? UserDirectories.path(of: "history.sqlite", .data, environment: environment) : setting
  }

  /// Opens the store to be read. Throws `LibreError.store`: `missing` if nothing was stored yet.
  public static func openForReading(_ path: String) throws(LibreError) -> SensorStore {
    try store(path, for: .reading)
  }

  /// Opens the store to be written to, and makes it, and its folder, if need be. Throws `LibreError.store`.
  public static func openForWriting(_ path: String) throws(LibreError) -> SensorStore {
    do throws(OutputError) {
      try FileSystem.makePrivate(path)
    } catch .refused(_, let number) {
      throw .store(.cannotOpen(path: path, words: FileSystem.text(number)))
    } catch {
      throw .output(error)
    }
    return try store(path, for: .writing)
  }

  /// The same for a store that must be there: nothing is made. Throws `LibreError.store`: `missing` if it is not.
  public static func openExisting(_ path: String) throws(LibreError) -> SensorStore {
    _ = try openForReading(path)
    return try openForWriting(path)
  }

  /// A store that is gone when it is closed, for files that are looked at together. Throws `LibreError.store`.
  public static func openInMemory() throws(LibreError) -> SensorStore {
    // SQLite's own name for a database that is no file.
    try store(":memory:", for: .writing)
  }

  private static func store(_ path: String, for access: SensorStore.Access) throws(LibreError) -> SensorStore {
    do throws(StoreError) {
      return try SensorStore(path, for: access)
    } catch {
      throw .store(error)
    }
  }

  /// Opens the store for showing what is in it: times that are shown stay from then on, which is noted first.
  ///
  /// Where the file may not be written to, nobody can move them either. Where it cannot be written to now, they are shown
  /// all the same: a full disk hides nobody's glucose. Throws `LibreError.store`.
  public static func openForShowing(_ path: String) throws(LibreError) -> SensorStore {
    do {
      let store = try openForReading(path)
      if try !libre(store.hasMovableTimes()) { return store }
      // Closed by now: the last to close it is the writer, which tidies the log away.
    }
    do throws(StoreError) {
      try SensorStore(path, for: .writing, lockTimeoutSeconds: 1).handOutTimes()
    } catch .readOnly, .cannotOpen, .diskFull, .busy {
    } catch {
      throw .store(error)
    }
    return try openForReading(path)
  }
}

/// Asks the store, whose errors become libre's.
package func libre<Value>(_ work: @autoclosure () throws(StoreError) -> Value) throws(LibreError) -> Value {
  do throws(StoreError) {
    return try work()
  } catch {
    throw .store(error)
  }
}
