// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import DumpFormats

/// A reading that the store could not take, kept as a dump so that a tap is never lost.
public enum UnstoredReading {
  /// Writes the memory to a file of its own below `XDG_STATE_HOME`, else `~/.local/state`; its path, or nil if that fails
  /// too.
  public static func save(_ reading: SensorReading, environment: [String: String]) -> String? {
    let state =
      environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? environment["HOME"].flatMap { $0.isEmpty ? nil : "\($0)/.local/state" }
    guard let state else { return nil }
    let path = "\(state)/libre/unstored/\(reading.id).hex"
    // Hex holds the UID, the patch info and the time too.
    guard FileBytes.makePrivate(path) == nil,
      let file = try? DumpEncoder.file(of: reading.memory, as: HexDump(), notes: ["Not stored; import it"]),
      (try? FileBytes.write(file, to: path, isPrivate: true)) != nil
    else { return nil }
    return path
  }
}
