// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import SampleStore
import SensorHistory
import StoreTestSupport
import Testing

struct TypedFingerStickTests {
  private let history: StoredHistory

  init() throws { history = try StoredHistory() }

  private func note(_ text: String?) throws -> EntryOutcome {
    try history.store.note(
      FingerStick(
        time: Instant(secondsSince1970: 1_767_265_570),
        concentration: GlucoseConcentration(milligramsPerDecilitre: 97), note: text)
    ).0
  }

  private func notes() throws -> [String?] {
    var query = HistoryQuery()
    query.includesFingerSticks = true
    var notes: [String?] = []
    try history.store.forEachEntry(query) { entry in
      if case .fingerStick(let stick) = entry { notes.append(stick.note) }
      return true
    }
    return notes
  }

  @Test("a note that comes with a known finger-stick is kept, and is a change that sinks and --after see")
  func noteOfKnownValue() throws {
    #expect(try note(nil) == .added)
    let anchor = try history.store.changes(after: nil).next
    #expect(try note("breakfast") == .filled)
    #expect(try notes() == ["breakfast"])
    #expect(try history.store.changes(after: nil).next != anchor)
    #expect(try note("breakfast") == .known)
    #expect(try note(nil) == .known, "no note says nothing about the one that is there")
    #expect(try notes() == ["breakfast"])
    #expect(try note("lunch") == .filled)
    #expect(try notes() == ["lunch"])
  }
}
