// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import Testing

@testable import SampleStore

struct StoredRunTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  @Test("the last hundred runs of each sink are kept, each as it ended, and go with the sink")
  func kept() throws {
    let store = try folder.store()
    let (one, two) = (try store.enrolled("one").id, try store.enrolled("two").id)
    var other = StoredRun(at: ReadingFixture.start, outcome: "done")
    try store.keep(&other, of: two)
    for number in 1...130 {
      var run = StoredRun(at: ReadingFixture.start.adding(minutes: number), outcome: "interrupted")
      run.accepted = number
      try store.keep(&run, of: one)
      (run.outcome, run.removed, run.queued, run.reason) = ("queued", 2, number, "HTTP 503")
      try store.keep(&run, of: one)
    }
    let runs = try store.runs(of: one)
    #expect(runs.map(\.accepted) == Array((31...130).reversed()) && runs.allSatisfy { $0.queued == $0.accepted })
    #expect(runs.allSatisfy { $0.outcome == "queued" && $0.removed == 2 && $0.reason == "HTTP 503" })
    #expect(try store.runs(of: two).map(\.outcome) == ["done"] && store.faults() == [])
    try store.removeSink(one)
    try store.keep(&other, of: one)
    #expect(try store.runs(of: one) == [])
  }

  @Test("a store of schema 1 is read as it is; the first change gives it the tables of this schema, and keeps all rows")
  func migrated() throws {
    var store: SensorStore? = try folder.store()
    _ = try store?.add(ReadingFixture().scan(1_000))
    let sink = try #require(try store?.enrolled()).id
    store = nil
    try folder.database().execute("DROP TABLE sink_run; PRAGMA user_version = 1")
    let tables = "SELECT sql FROM sqlite_master ORDER BY name"
    let before = try folder.files()
    let read = try SensorStore(folder.path(), for: .reading)
    let samples = try read.samples()
    #expect(
      try !samples.isEmpty && read.runs(of: sink) == []
        && folder.files()["history.sqlite"] == before["history.sqlite"])
    let written = try folder.store()
    #expect(try written.samples() == samples && written.faults() == [])
    var run = StoredRun(at: ReadingFixture.start, outcome: "done")
    try written.keep(&run, of: sink)
    #expect(try written.runs(of: sink).count == 1 && read.samples() == samples)
    _ = try folder.store("new.sqlite")
    #expect(try folder.database().texts(tables) == folder.database("new.sqlite").texts(tables))
    #expect(try folder.database().row("PRAGMA user_version")?.first == .integer(2))
  }
}
