// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import Foundation
  import TestSupport
  import Testing

  /// Files that are not a store, not any more, or not yet.
  @Suite("A store that is damaged, or another file", .onOwnThreads, .startsProcesses)
  struct StoreFaultTests {
    private let store: FaultyStore

    init() throws { store = try FaultyStore() }

    @Test("a damaged store is found by a check, which says how to go on, and is not backed up")
    func damaged() throws {
      var bytes = try store.bytes
      for offset in stride(from: 8_192, to: bytes.count, by: 4_096) { bytes[offset] ^= 0xFF }
      try store.replace(with: bytes)
      let check = try store.run(["store", "check"])
      #expect(check.fails(74, saying: "is damaged: ") && check.errors.contains("store check --repair"), "\(check)")
      let backup = try store.run(["store", "backup", "copy.sqlite"])
      #expect(backup.fails(74, saying: "is damaged: "), "\(backup)")
      #expect(try store.bytes == bytes)
      let files = try FileManager.default.contentsOfDirectory(atPath: store.sandbox.path("."))
      #expect(!files.contains { $0.hasPrefix("copy") || $0.hasSuffix(".part") })
    }

    @Test("a repair puts the samples of a lost page in again, and keeps the damaged file")
    func repair() throws {
      let before = try store.contents()
      var bytes = try store.bytes
      for start in stride(from: 4_096, to: bytes.count, by: 4_096)
      where bytes[start..<start + 4_096].firstRange(of: Array("ok".utf8)) != nil {
        bytes.replaceSubrange(start..<start + 4_096, with: repeatElement(0, count: 4_096))
      }
      try store.replace(with: bytes)
      let repair = try store.run(["store", "check", "--repair"])
      #expect(repair.status == 0 && repair.text.contains("192 samples put in again"), "\(repair)")
      #expect(repair.errors.contains("the damaged file is kept as "), "\(repair)")
      #expect(try store.run(["store", "check"]).text.hasPrefix("intact: "))
      #expect(try store.contents() == before)
    }
  }
#endif
