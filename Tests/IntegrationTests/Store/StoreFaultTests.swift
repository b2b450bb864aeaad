// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import Foundation
  import TestSupport
  import Testing

  /// A file that is damaged, and one that is in use.
  @Suite("A store that is damaged, or in use", .onOwnThreads, .startsProcesses)
  struct StoreFaultTests {
    private let store: FaultyStore

    init() throws { store = try FaultyStore() }

    @Test(
      "a damaged store is not backed up; a repair puts the samples of a lost page in again, and keeps the damaged file")
    func repair() throws {
      let before = try store.contents()
      var bytes = try store.bytes
      for start in stride(from: 4_096, to: bytes.count, by: 4_096)
      where bytes[start..<start + 4_096].firstRange(of: Array("ok".utf8)) != nil {
        bytes.replaceSubrange(start..<start + 4_096, with: repeatElement(0, count: 4_096))
      }
      try store.replace(with: bytes)
      let check = try store.run(["store", "check"])
      #expect(check.fails(74, saying: "is damaged: ") && check.errors.contains("store check --repair"), "\(check)")
      #expect(try store.run(["store", "backup", "copy.sqlite"]).fails(74, saying: "is damaged: "))
      #expect(try !FileManager.default.contentsOfDirectory(atPath: store.sandbox.path(".")).contains("copy.sqlite"))
      let repair = try store.run(["store", "check", "--repair"])
      #expect(repair.status == 0 && repair.text.contains("192 samples put in again"), "\(repair)")
      #expect(repair.errors.contains("the damaged file is kept as "), "\(repair)")
      #expect(try store.run(["store", "check"]).text.hasPrefix("intact: "))
      #expect(try store.contents() == before)
    }

    @Test("between two readings a watched store is one file that can be copied")
    func copiedWhileWatching() throws {
      let watch = try store.sandbox.start(
        ["watch", "--reader", "sim:active:30", "--interval", "86400", "--ndjson", "--store", FaultyStore.name])
      defer { watch.send(SIGKILL) }
      try eventually("one reading") { try !watch.lines().isEmpty }
      let copy = try store.shell("cp $STORE copy.sqlite && sqlite3 copy.sqlite 'SELECT count(*) FROM scan'")
      #expect(copy.lines == ["5"], "\(copy)")
      #expect(try store.files() == ["history.sqlite"])
    }
  }
#endif
