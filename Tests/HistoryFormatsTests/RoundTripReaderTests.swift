// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import HistoryFormats

@Suite("Each reader reads the output of our writer for its format") struct RoundTripReaderTests {
  private func written(_ writer: any HistoryWriter, _ entries: [HistoryEntry], _ unit: GlucoseUnit) -> [UInt8] {
    Array(WriterEntries.text(writer, entries, WriterEntries.context(unit)).utf8)
  }

  /// Numbers of which a document holds every decimal, and a note of two lines.
  private let entries = [
    WriterEntries.sample(
      .history, minute: 45, time: "2024-05-22T10:15:00Z", glucose: 104.4808, celsius: 32.03, wear: 2, isSalvaged: true),
    WriterEntries.sample(.trend, minute: 50, time: "2024-05-22T10:20:00Z", glucose: 88, celsius: 32.03, wear: 2),
    WriterEntries.sample(
      .history, minute: 60, time: "2024-05-22T10:30:00Z", glucose: nil, quality: .error, errors: 32, celsius: 32.03),
    value(
      "clarity", "8ABC12, \"G6\"", "2024-05-22T10:35:00Z", 99, ring: .trend, bound: .low, id: WriterEntries.id(1)),
    value("libreview", nil, "2024-05-22T10:40:00Z", 104.5, id: WriterEntries.id(2)),
    stick(nil, "2024-05-22T10:50:00Z", 90, note: "<lunch> & \"run\"\nthen more", id: WriterEntries.id(9)),
  ]

  @Test("our own lines give back every entry unchanged")
  func ownLines() throws {
    for unit in GlucoseUnit.allCases {
      let bytes = written(NDJSONWriter(), entries, unit)
      #expect(try NDJSONReader().entries(of: HistoryText(bytes)) == entries)
    }
  }

  @Test("our own lines give back which software a value follows, in whatever form they are")
  func software() throws {
    let stored = try #require(entries[0].stored)
    let factory = try #require(stored.calibration)
    let followed = CalibrationDescription(
      model: "reader", version: 2, parameters: factory.parameters, basis: .store, software: "LibreLink 1.3 to 2.4")
    let entry = HistoryEntry.sensor(
      StoredSample(
        sensor: stored.sensor, wear: 2, sample: stored.sample, calibration: followed, isSalvaged: stored.isSalvaged))
    let line = String(decoding: written(NDJSONWriter(), [entry], .milligramsPerDecilitre), as: UTF8.self)
    // A record with a member that is there twice is read by the general decoder.
    for text in [line, line.replacing(#""wear":2,"#, with: #""wear":2,"wear":2,"#)] {
      #expect(try NDJSONReader().entries(of: HistoryText(Array(text.utf8))) == [entry])
    }
  }

  @Test("our own table gives back every entry unchanged")
  func ownTable() throws {
    let pressures = WriterEntries.pressures
    for unit in GlucoseUnit.allCases {
      let bytes = written(CSVWriter(), entries + pressures, unit)
      let found = try CSVReader().entries(of: HistoryText(bytes))
      #expect(Array(found.prefix(entries.count)) == entries)
      // A pressure in kilopascals is written in mmHg, with four places.
      #expect(found.count == entries.count + pressures.count && found.map(\.id) == (entries + pressures).map(\.id))
      #expect(written(CSVWriter(), found, unit) == bytes)
      #expect(try Examples.readers.detect(HistoryText(bytes)).name == "csv")
    }
  }

  @Test(
    "Tidepool's records give back a limit unchanged, however often they go there and back",
    arguments: GlucoseUnit.allCases)
  func limits(unit: GlucoseUnit) throws {
    let limits = zip(1..., [(40.0, ImportedSample.Bound.low), (400, .high), (500, .high)]).map { number, limit in
      value("clarity", nil, "2024-05-22T10:3\(number):00Z", limit.0, bound: limit.1, id: WriterEntries.id(number))
    }
    var entries = limits
    for _ in 1...3 {
      let found = try TidepoolReader().entries(of: HistoryText(written(TidepoolWriter(), entries, unit)))
      entries = zip(found, limits).compactMap { found, limit in
        guard case .imported(var imported) = found else { return nil }
        imported.id = limit.id
        return .imported(imported)
      }
      #expect(
        entries.map(\.concentration) == limits.map(\.concentration) && entries.map(\.bound) == limits.map(\.bound))
    }
  }

  @Test(
    "notes that a format has no place for are counted",
    arguments: [
      (CSVWriter(), 0), (NDJSONWriter(), 0), (LibreViewWriter(), 0), (FHIRWriter(), 0), (TidepoolWriter(), 1),
      (AppleHealthWriter(), 1), (TerraWriter(), 1),
    ] as [(any HistoryWriter, Int)])
  func notes(writer: any HistoryWriter, count: Int) {
    var document = writer.document(WriterEntries.context())
    let bytes = document.begin() + entries.flatMap { document.add($0) } + document.end()
    #expect(document.notesLeftOut == count, "\(writer.name)")
    #expect(String(decoding: bytes, as: UTF8.self).contains("lunch") == (count == 0))
  }
}

extension HistoryEntry {
  fileprivate var bound: ImportedSample.Bound? {
    if case .imported(let imported) = self { imported.bound } else { nil }
  }
}
