// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import Testing

/// A store into which the dump active.hex was imported: made by the command once for each read time, then copied.
enum ImportedStore {
  /// The store that a test uses by `--store`.
  static let name = "store.sqlite"
  /// The store of a command without `--store`.
  static let standard = "data/libre/history.sqlite"

  /// The time of the first use, in seconds since 1970.
  private static let now = "\(Int(Date().timeIntervalSince1970))"
  private static let made = Mutex<[String: [UInt8]]>([:])

  /// Puts the store into a sandbox. The dump was read at `time`: now for nil, and the dump's own time for "file".
  static func copy(to name: String = name, in sandbox: Sandbox, readAt time: String? = "2024-05-02T10:15:00Z") throws {
    let time = time ?? now
    let bytes = try made.withLock { made in
      if let bytes = made[time] { return bytes }
      let maker = try Sandbox()
      try maker.copy("active.hex", to: "dump.hex")
      let options = time == "file" ? [] : ["--read-at", time]
      let outcome = try maker.run(["import", "dump.hex", "--store", Self.name] + options)
      try #require(outcome.status == 0, "\(outcome.errors)")
      let bytes = [UInt8](try Data(contentsOf: maker.url.appendingPathComponent(Self.name)))
      made[time] = bytes
      return bytes
    }
    try sandbox.write(bytes, to: name)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: sandbox.path(name))
  }
}
