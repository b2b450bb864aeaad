// SPDX-License-Identifier: Apache-2.0
import DumpFormats
import HostSystem
package import LibreKit
package import SampleStore
import SensorHistory

extension ScanReport {
  /// Writes the memory in the format of the path's extension, else as hex; only its owner can read the file. An
  /// incomplete scan is always hex, which names the missing blocks, as is one that the format cannot hold. Nothing is
  /// written if no block was read.
  package func save(to path: String) throws(LibreError) {
    guard image.missingBlocks.count * ISO15693.Response.blockSize < image.bytes.count else { return }
    let isWhole = image.missingBlocks.isEmpty
    let notes = ["Read by \(Program.tool)"] + (isWhole ? [] : ["Incomplete: the read was broken off"])
    // Hex can hold any memory.
    let wanted = isWhole ? try? DumpEncoder.file(of: image, as: DumpEncoder.writer(for: path), notes: notes) : nil
    let bytes = if let wanted { wanted } else { try DumpEncoder.file(of: image, as: HexDump(), notes: notes) }
    try libre(FileSystem.write(bytes, to: path, isPrivate: true))
  }
}

/// Saves memories that could not be stored as dumps, so that no read is lost.
package enum UnstoredReading {
  package static func save(_ reading: SensorReading, environment: [String: String]) -> String? {
    save(reading.memory, named: reading.id.description, note: "Not stored; import it", environment: environment)
  }

  /// Saves a memory that could not be decoded. Only the last one of each sensor and day is kept, because a sensor may
  /// stay on the reader for long.
  package static func save(_ memory: MemoryImage, environment: [String: String]) -> String? {
    let sensor = HashFunction.sha256.hex(of: memory.uid?.bytes ?? memory.bytes).prefix(16)
    let name = "\(sensor)-\(memory.readAt?.rfc3339.prefix(10) ?? "undated")"
    return save(memory, named: name, note: "Could not be decoded", environment: environment)
  }

  /// The files with readings that are in none of these stores yet. Those that cannot be decoded are not among them.
  package static func files(missingIn stores: [SensorStore], environment: [String: String]) throws(LibreError)
    -> [String]
  {
    guard let folder = Person.path(of: "unstored", .state, environment: environment) else { return [] }
    var files: [String] = []
    for name in FileSystem.sortedNames(in: folder) {
      guard let id = SampleID(text: String(name.prefix { $0 != "." })) else { continue }
      var isStored = false
      for store in stores where try libre(store.holds(scan: id)) { isStored = true }
      if !isStored { files.append("\(folder)/\(name)") }
    }
    return files
  }

  /// Writes the memory to a file below `XDG_STATE_HOME`, else `~/.local/state`; returns its path, or nil if this fails.
  private static func save(
    _ memory: MemoryImage, named name: String, note: String, environment: [String: String]
  ) -> String? {
    guard let path = Person.path(of: "unstored/\(name).hex", .state, environment: environment) else { return nil }
    // Hex also contains the UID, the patch info and the time.
    guard (try? FileSystem.makePrivate(path)) != nil,
      let file = try? DumpEncoder.file(of: memory, as: HexDump(), notes: [note]),
      (try? FileSystem.write(file, to: path, isPrivate: true)) != nil
    else {
      // A full disk would leave an empty file.
      if let head = try? FileSystem.head(of: path, count: 1), head.isEmpty { try? FileSystem.remove(path) }
      return nil
    }
    return path
  }
}
