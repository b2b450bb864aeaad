// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import SampleStore
import SensorHistory
import StoreTestSupport
import TestSupport
import Testing

struct TypedFingerStickTests {
  private let history: StoredHistory

  init() throws { history = try StoredHistory() }

  private func note(_ text: String?) throws -> EntryOutcome {
    try history.store.note(FingerStick(97, at: Instant(secondsSince1970: 1_767_265_570), note: text)).0
  }

  private func notes() throws -> [String?] {
    try history.store.entries { $0.includesFingerSticks = true }.map {
      if case .fingerStick(let stick) = $0 { stick.note } else { nil }
    }
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
