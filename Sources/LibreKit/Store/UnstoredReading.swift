// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import DumpFormats
import HostSystem

/// A memory that was read and is not in the store, kept as a dump so that a tap is never lost.
public enum UnstoredReading {
  /// Keeps the memory of a reading that the store could not take.
  public static func save(_ reading: SensorReading, environment: [String: String]) -> String? {
    save(reading.memory, named: reading.id.description, note: "Not stored; import it", environment: environment)
  }

  /// Keeps a memory that could not be decoded: another program or a later version may do it. Of each sensor the last one of
  /// a day: it may lie on the reader for long.
  public static func save(_ memory: MemoryImage, environment: [String: String]) -> String? {
    let sensor = SHA256Digest.hex(of: memory.uid?.bytes ?? memory.bytes).prefix(16)
    let name = "\(sensor)-\(memory.readAt?.rfc3339.prefix(10) ?? "undated")"
    return save(memory, named: name, note: "Could not be decoded", environment: environment)
  }

  /// Writes the memory to a file of its own below `XDG_STATE_HOME`, else `~/.local/state`; its path, or nil if that fails
  /// too.
  private static func save(
    _ memory: MemoryImage, named name: String, note: String, environment: [String: String]
  ) -> String? {
    guard let path = UserDirectories.path(of: "unstored/\(name).hex", .state, environment: environment) else {
      return nil
    }
    // Hex holds the UID, the patch info and the time too.
    guard (try? FileSystem.makePrivate(path)) != nil,
      let file = try? DumpEncoder.file(of: memory, as: HexDump(), notes: [note]),
      (try? FileSystem.write(file, to: path, isPrivate: true)) != nil
    else { return nil }
    return path
  }
}
