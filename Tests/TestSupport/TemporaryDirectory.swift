// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A directory of one test, deleted together with this value.
package final class TemporaryDirectory: Sendable {
  package let url: URL

  /// In memory where the system has such a place and `isInMemory` asks for it: SQLite then waits for no disk.
  package init(isInMemory: Bool = false) throws {
    let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
    let isThere = isInMemory && FileManager.default.isWritableFile(atPath: memory.path)
    // Without symbolic links in the path, so that messages can be compared.
    url = (isThere ? memory : FileManager.default.temporaryDirectory.resolvingSymlinksInPath())
      .appendingPathComponent("libre-test-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package var path: String { url.path }

  package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file, with the directories above it, and returns its path.
  @discardableResult package func write(_ bytes: [UInt8], to name: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file.path
  }

  @discardableResult package func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  package func bytes(of name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url.appendingPathComponent(name)))
  }
}
