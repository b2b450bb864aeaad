// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import Testing

@Suite("Each reader reads the output of our writer for its format") struct RoundTripReaderTests {
  private func written(_ writer: any HistoryWriter, _ entries: [HistoryEntry], _ unit: GlucoseUnit) -> [UInt8] {
    let context = ExportContext(
      unit: unit, program: "libre", version: "0.1.0", now: Instant("2024-05-22T12:00:00Z"),
      clock: LocalClock { _ in 7_200 }, person: nil)
    var document = writer.document(context)
    return document.begin() + entries.flatMap { document.add($0) } + document.end()
  }

  private func sensor(minute: Int, _ time: StaticString, _ milligrams: Double?, _ ring: SampleRing) -> HistoryEntry {
    let raw = RawSample(
      ring: ring, minute: SensorMinute(minute), glucose: 1_319, temperature: 6_552, temperatureAdjustment: -8,
      hasError: milligrams == nil, errorField: 32, isNeverWritten: false)
    let sample = GlucoseSample(
      raw: raw, temperatureCelsius: 32.03,
      concentration: milligrams.map { GlucoseConcentration(milligramsPerDecilitre: $0) },
      quality: milligrams == nil ? .error : .ok, time: Instant(time))
    let factory = CalibrationDescription(
      model: "factory", version: 1, parameters: [.init("i6", 6_536), .init("i1", 0), .init("i2", 803)])
    return .sensor(
      StoredSample(
        sensor: SensorIdentity(
          uid: SensorUID(bits: 0xE007_A000_0025_905E), fingerprint: SensorFingerprint(bytes: Array(1...16)),
          serial: "0M1", family: .libre1), wear: 2, sample: sample, calibration: milligrams == nil ? nil : factory,
        isSalvaged: minute == 45))
  }

  private var entries: [HistoryEntry] {
    [
      sensor(minute: 45, "2024-05-22T10:15:00Z", 104.4808, .history),
      sensor(minute: 50, "2024-05-22T10:20:00Z", 88, .trend), sensor(minute: 60, "2024-05-22T10:30:00Z", nil, .history),
      .imported(
        ImportedSample(
          id: SampleID(high: 2, low: 1), source: "clarity", device: "8ABC12, \"G6\"", ring: .history,
          time: Instant("2024-05-22T10:35:00Z"), concentration: GlucoseConcentration(milligramsPerDecilitre: 99))),
      .fingerStick(
        FingerStick(
          id: SampleID(high: 2, low: 2), time: Instant("2024-05-22T10:50:00Z"),
          concentration: GlucoseConcentration(milligramsPerDecilitre: 90), note: "<lunch> & \"run\"\nthen more")),
    ]
  }

  @Test("our own lines give back every entry unchanged")
  func ownLines() throws {
    for unit in GlucoseUnit.allCases {
      let bytes = written(NDJSONWriter(), entries, unit)
      #expect(try NDJSONReader().entries(of: HistoryText(bytes)) == entries)
    }
  }

  @Test("our own lines give back which software a value follows, in whatever form they are")
  func software() throws {
    guard case .sensor(let stored) = entries[0], let factory = stored.calibration else {
      Issue.record("no sample of a sensor")
      return
    }
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
      #expect(try HistoryDetector(readers: Examples.readers).detect(HistoryText(bytes)).name == "csv")
    }
  }

  @Test(
    "Tidepool's records give back a limit unchanged, however often they go there and back",
    arguments: GlucoseUnit.allCases)
  func limits(unit: GlucoseUnit) throws {
    var limits: [HistoryEntry] = []
    for (number, (limit, bound)) in zip(1..., [(40.0, ImportedSample.Bound.low), (400, .high), (500, .high)]) {
      limits.append(
        .imported(
          ImportedSample(
            id: SampleID(high: 3, low: UInt64(number)), source: "clarity", device: nil, ring: .history,
            time: Instant("2024-05-22T10:35:00Z").adding(minutes: number),
            concentration: GlucoseConcentration(milligramsPerDecilitre: limit), bound: bound)))
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

  @Test("notes that a format has no place for are counted", arguments: [0, 1, 2, 3, 4, 5, 6])
  func notes(index: Int) {
    let all: [(any HistoryWriter, Int)] = [
      (CSVWriter(), 0), (NDJSONWriter(), 0), (LibreViewWriter(), 0), (FHIRWriter(), 0), (TidepoolWriter(), 1),
      (AppleHealthWriter(), 1), (TerraWriter(), 1),
    ]
    let (writer, count) = all[index]
    var document = writer.document(
      ExportContext(
        unit: .milligramsPerDecilitre, program: "libre", version: "0.1.0", now: Instant("2024-05-22T12:00:00Z"),
        clock: LocalClock { _ in 7_200 }, person: nil))
    let bytes = document.begin() + entries.flatMap { document.add($0) } + document.end()
    #expect(document.notesLeftOut == count, "\(writer.name)")
    #expect(String(decoding: bytes, as: UTF8.self).contains("lunch") == (count == 0))
  }

  @Test(
    "LibreView's table, Tidepool's records and Apple's export give back times, values and kinds", arguments: [0, 1, 2])
  func otherFormats(index: Int) throws {
    let writer: any HistoryWriter = [LibreViewWriter(), TidepoolWriter(), AppleHealthWriter()][index]
    for unit in GlucoseUnit.allCases {
      let file = HistoryText(written(writer, entries, unit))
      let reader = try HistoryDetector(readers: Examples.readers).detect(file)
      #expect(reader.name == writer.name)
      let found = try reader.entries(of: file)
      let usable = entries.filter { $0.usableConcentration != nil }
      #expect(found.map(\.time) == usable.map(\.time))
      for (entry, original) in zip(found, usable) {
        let (ours, theirs) = try (#require(entry.concentration), #require(original.concentration))
        // LibreView's mmol/L values have one decimal.
        #expect(abs(ours.milligramsPerDecilitre - theirs.milligramsPerDecilitre) <= 1)
        #expect(entry.isFingerStick == original.isFingerStick)
      }
    }
  }
}

extension HistoryEntry {
  fileprivate var bound: ImportedSample.Bound? {
    if case .imported(let imported) = self { imported.bound } else { nil }
  }

  fileprivate var isFingerStick: Bool {
    if case .fingerStick = self { true } else { false }
  }
}
