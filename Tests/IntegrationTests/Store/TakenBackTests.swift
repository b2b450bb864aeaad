// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import Foundation
  import TestSupport
  import Testing

  /// What a user imports by mistake, beside a sensor that is read and a program that follows the history.
  @Suite("Imports are removed from a store in use", .startsProcesses) struct TakenBackTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// A simulated sensor goes only into a store that is named.
    private func libre(_ arguments: String...) throws -> Outcome {
      try sandbox.run(arguments + ["--store", "store.sqlite"])
    }

    private func document(after anchor: String? = nil) throws -> JSONValue {
      let span = anchor.map { ["--after", $0] } ?? ["--from", "all"]
      let arguments = ["history", "--ring", "all", "--finger-sticks", "--json", "--store", "store.sqlite"]
      return try sandbox.run(arguments + span).json()
    }

    private func ids(_ document: JSONValue) -> Set<String> {
      Set(document["samples"].elements.compactMap { $0["id"].text })
    }

    @Test("a scan keeps its values, and a program that follows the history ends with the same samples as the store")
    func takenBack() throws {
      try sandbox.copy("active.hex", to: "dump.hex")
      try sandbox.write("time,mg_dL\n2024-05-02T10:00,104\n2024-05-02T10:15,108\n", to: "wrong.csv")
      let imported = try libre("import", "dump.hex", "wrong.csv", "--time-zone", "Asia/Tokyo")
      #expect(imported.text.contains("times without a zone are in Asia/Tokyo"), "\(imported.errors)")
      var (followed, anchor) = (ids(try document()), try #require(try document()["anchor"].text))
      #expect(followed.count == 50)
      // The same memory, read by the user.
      let read = try libre("read", "--reader", "sim:dump.hex")
      #expect(read.status == 0, "\(read.errors)")
      let removed = try libre("imports", "remove", "1", "--yes")
      #expect(removed.status == 0, "\(removed.errors)")
      let changes = try document(after: anchor)
      followed.formUnion(ids(changes))
      followed.subtract(changes["deleted"].elements.compactMap(\.text))
      #expect(followed == ids(try document()))
      #expect(try !document()["samples"].elements.contains { $0["source"].text != nil })
      #expect(followed.count >= 48)
      // One sample of the sensor, which another reading does not bring back.
      let sample = try #require(followed.sorted().first)
      #expect(try libre("add", "--remove", sample).status == 0)
      #expect(try libre("read", "--reader", "sim:dump.hex").status == 0)
      anchor = try #require(changes["anchor"].text)
      #expect(try document(after: anchor)["deleted"].elements.compactMap(\.text).contains(sample))
      #expect(try !ids(document()).contains(sample))
      #expect(try libre("store", "check").status == 0)
    }
  }
#endif
