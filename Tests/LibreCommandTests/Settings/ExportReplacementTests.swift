// SPDX-License-Identifier: Apache-2.0
import CGMModel
import CommandSupport
import HistoryFormats
import HostSystem
import LibreKit
import SensorHistory
import TestSupport
import Testing

@Suite("An older export is replaced only if nothing in it is lost")
struct ExportReplacementTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static let start = Instant(secondsSince1970: 1_767_225_600)

  /// Imported values of a day, one an hour.
  private func entries(_ hours: Range<Int>, glucose: Double = 100) -> [HistoryEntry] {
    hours.map { hour in
      HistoryEntry.imported(
        ImportedSample(
          source: "clarity", device: "a, \"b\"", ring: .history, time: Self.start.adding(minutes: 60 * hour),
          concentration: GlucoseConcentration(milligramsPerDecilitre: glucose + Double(hour)))
      ).identified()
    }
  }

  private func document(_ writer: any HistoryWriter, at now: Instant) -> any HistoryDocument {
    writer.document(
      ExportContext(
        unit: .milligramsPerDecilitre, program: "libre", version: "0.1.0", now: now,
        clock: LocalClock(zoneName: nil) { _ in 0 }, person: nil))
  }

  private func bytes(_ writer: any HistoryWriter, _ entries: [HistoryEntry], at now: Instant) -> [UInt8] {
    var document = document(writer, at: now)
    return document.begin() + entries.flatMap { document.add($0) } + document.end()
  }

  /// The number of lines of an old file that would be lost, if these entries are written a day later.
  private func lost(
    _ old: [UInt8], _ writer: any HistoryWriter, by entries: [HistoryEntry], and others: [HistoryEntry] = []
  ) throws -> Int {
    let path = try folder.write(old, to: "old")
    let now = Self.start.adding(days: 8)
    var document = document(writer, at: now)
    var replacement = ExportReplacement(title: document.begin())
    for entries in [entries, others] {
      // In pieces that do not end with a line.
      for byte in bytes(writer, entries, at: now) { replacement.add([byte]) }
      replacement.end()
    }
    return try replacement.missingLines(ofFile: path)
  }

  @Test(
    "a longer export of the next day replaces it; values that neither it nor the store has are counted",
    arguments: ["csv", "ndjson", "libreview", "fhir", "tidepool", "omh", "vital"])
  func longer(format: String) throws {
    let writer = try #require(Catalogue.standard.historyWriters.first { $0.name == format })
    let old = bytes(writer, entries(0..<5), at: Self.start.adding(days: 7))
    #expect(try lost(old, writer, by: entries(0..<5)) == 0)
    #expect(try lost(old, writer, by: entries(0..<9)) == 0)
    #expect(try lost(old, writer, by: entries(3..<9), and: entries(0..<9)) == 0, "the store has the rest")
    #expect(try lost(old, writer, by: entries(3..<9)) == 3)
    #expect(try lost(old, writer, by: entries(0..<9, glucose: 101)) > 0, "another value at the same time")
    let edited = old[..<(2 * old.count / 3)] + Array("before lunch".utf8) + old[(2 * old.count / 3)...]
    #expect(try lost(Array(edited), writer, by: entries(0..<9)) == 1, "a note that somebody has typed into it")
  }

  @Test("a file of another kind is never taken for an older export")
  func otherFiles() throws {
    let writer = CSVWriter()
    for text in ["keep me\n", "keep me", "\0\u{1}\u{2}"] {
      #expect(try lost(Array(text.utf8), writer, by: entries(0..<9)) == 1)
    }
    #expect(try lost(bytes(NDJSONWriter(), entries(0..<3), at: Self.start), writer, by: entries(0..<9)) == 3)
    #expect(try lost(Array("\n \n".utf8), writer, by: entries(0..<9)) == 0, "blank lines are no loss")
  }
}
