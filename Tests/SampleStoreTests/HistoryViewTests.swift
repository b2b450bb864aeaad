// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import Testing

@testable import SampleStore

/// The view that people read with SQL, beside the entries that the store itself returns.
@Suite("The view history") final class HistoryViewTests: StoreTest {
  private func fill() throws {
    let marked = sensor.with { ($0.flagged, $0.doubtful) = ([.init(.history, 45)], [.init(.history, 60): .lowSignal]) }
    _ = try store.add(marked.scan(100))
    for (number, bound) in [(1, nil), (2, ImportedSample.Bound.high)] {
      let id = SampleID(high: 4, low: UInt64(number))
      _ = try store.add(.value(id, at: -15 * number, 100.5, device: "phone", bound: bound))
    }
    _ = try store.add(.stick(SampleID(high: 3, low: 1), at: 30, 104, note: "before lunch"))
    let time = ReadingFixture.start
    _ = try store.add(
      .bloodPressure(BloodPressure(id: SampleID(high: 7, low: 1), time: time, systolic: 138, diastolic: 88)))
  }

  private func row(of entry: HistoryEntry) -> [SQLiteValue] {
    func text(_ text: String?) -> SQLiteValue { .text(orNull: text) }
    let head = [text(entry.time?.rfc3339), .real(orNull: entry.usableConcentration?.milligramsPerDecilitre)]
    switch entry {
    case .sensor(let stored):
      let sample = stored.sample
      return head + [
        .text(sample.quality.rawValue), .text(sample.ring.rawValue), .integer(sample.minute.value),
        text(stored.sensor.uid?.description), text(stored.sensor.serial), .integer(stored.wear),
        .real(orNull: sample.concentration?.milligramsPerDecilitre), .null, .null, .null, .null,
      ]
    case .imported(let imported):
      return head + [
        .text("ok"), .text(imported.ring.rawValue), .null, .null, .null, .null, .null, .text(imported.source),
        text(imported.device), text(imported.bound?.rawValue), .null,
      ]
    case .fingerStick(let stick):
      return head + [
        .text("ok"), .text("finger_stick"), .null, .null, .null, .null, .null, text(stick.source), .null, .null,
        text(stick.note),
      ]
    case .bloodPressure: return []
    }
  }

  @Test("has every entry with glucose, with the names and units of JSON, and a value only if its quality is ok")
  func sameEntries() throws {
    try fill()
    let entries = try store.entries(.withFingerSticks)
    let rows = try folder.database().rows(
      """
      SELECT time, glucose_mg_dl, quality, ring, minute, uid, serial, wear, model_glucose_mg_dl, source, device, bound,
        note FROM history
      """)
    #expect(Set(rows) == Set(entries.map(row)) && rows.count == entries.count)
    let flagged = rows.filter { $0[2] != .text("ok") }
    #expect(flagged.count == 2 && flagged.allSatisfy { $0[1] == .null })
  }
}
