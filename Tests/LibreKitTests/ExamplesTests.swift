// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import LibreKit
import SampleStore
import SensorHistory
import TestSupport
import Testing

@testable import SampleSync

/// The examples in the documentation, exactly as they are shown there.
struct ExamplesTests {
  @Test("a program reads a sensor with one call")
  func read() async throws {
    let reading = try await SensorReader(at: "sim:active").read()
    let state = reading.sensor.state
    #expect(state == .active)
    #expect(reading.samples.count == 48)
  }

  @Test("a program decodes a dump with one call")
  func decode() throws {
    let path = Repository.dumps.appendingPathComponent("active.hex").path
    let reading = try DumpDecoder().decode(contentsOf: path)
    var plotted: [SensorMinute] = []
    func plot(_ minute: SensorMinute, _ concentration: GlucoseConcentration?) { plotted.append(minute) }
    for sample in reading.samples where sample.quality == .ok {
      plot(sample.minute, sample.concentration)
    }
    #expect(plotted == reading.samples.map(\.minute))
    #expect(reading.samples.count == 48 && plotted == plotted.sorted(by: >))
  }

  @Test("a program reads a sensor, and shows its current value")
  func current() async throws {
    var printed: [String] = []
    func print(_ text: String) { printed.append(text) }
    let reading = try await SensorReader(at: "sim:active").read()
    if let current = reading.current {
      print("\(current.concentration.milligramsPerDecilitre) mg/dL at minute \(current.minute)")
    }
    #expect(printed.count == 1 && printed[0].contains(" mg/dL at minute 8231"), "\(printed)")
  }

  @Test("a program uses the usable values of a dump and stores them once")
  func usable() throws {
    let path = Repository.dumps.appendingPathComponent("active.hex").path
    var plotted = 0
    func plot(_ minute: SensorMinute, _ concentration: GlucoseConcentration) { plotted += 1 }
    let reading = try DumpDecoder().decode(contentsOf: path)
    for sample in reading.samples {
      guard let concentration = sample.usableConcentration else { continue }
      plot(sample.minute, concentration)
    }
    #expect(plotted == 48)
    let directory = try TemporaryDirectory()
    #expect(
      try keep(reading, in: directory.path("a.sqlite"), now: reading.readAt ?? .init(secondsSince1970: 0)) == [
        "48 new samples"
      ])
    #expect(
      try keep(reading, in: directory.path("a.sqlite"), now: reading.readAt ?? .init(secondsSince1970: 0)) == [
        "0 new samples"
      ])
  }

  private func keep(_ reading: SensorReading, in path: String, now: Instant) throws -> [String] {
    var printed: [String] = []
    func print(_ text: String) { printed.append(text) }
    let store = try StoreFile.openForWriting(path)
    let remembered = try store.remember(reading, calibration: .factory)
    print("\(remembered.receipt.added) new samples")
    let latest = try store.latestValue(now: now)
    #expect(latest.ageMinutes == 1)
    return printed
  }

  @Test("a program follows a sensor, and a failed reading does not end the sequence")
  func follow() async throws {
    var shown: [SensorReading] = []
    var logged: [String] = []
    func show(_ reading: SensorReading) { shown.append(reading) }
    func log(_ text: String) { logged.append(text) }
    for await result in try SensorReader(at: "sim:active").readings(every: .seconds(300)) {
      switch result {
      case .success(let reading): show(reading)
      case .failure(let error): log(error.message)
      }
      break
    }
    #expect(shown.map(\.samples.count) == [48] && logged.isEmpty)
  }

  @Test("a program decodes bytes that it has read itself")
  func ownBytes() async throws {
    let path = Repository.dumps.appendingPathComponent("active.hex").path
    let (bytes, uid) = (
      try DumpDecoder().decode(contentsOf: path).memory.bytes, try SensorUID(printed: "E007A0000025905E")
    )
    let now = Instant(secondsSince1970: 1_714_644_900)
    let image = MemoryImage(bytes: bytes, uid: uid, readAt: now)
    let reading = try image.checked().reading()
    #expect(reading.samples.count == 48 && reading.readAt == now && reading.readAtSource == .option)
    #expect(reading.samples.allSatisfy { $0.time != nil && reading.id(of: $0) != nil })
    let phone = ReaderDescription(address: "phone:1", name: "a phone", dialect: "CoreNFC")
    let read = try image.checked().reading(reader: phone)
    #expect(read.reader == phone && read.readAtSource == .clock && read.samples == reading.samples)
    // A block that is missing is named.
    let incomplete = MemoryImage(bytes: bytes, missingBlocks: [7], uid: uid, readAt: now)
    #expect(throws: MemoryError.self) {
      try incomplete.checked().reading()
    }
    do {
      let reading = try MemoryImage(bytes: bytes, uid: uid).checked().reading()
      #expect(
        reading.samples.count == 48 && reading.readAtSource == .unknown && reading.samples.allSatisfy { $0.time == nil }
      )
    }

    var printed: [String] = []
    func print(_ text: String) { printed.append(text) }
    let memory = try Libre1Decoder.decode(bytes)
    for sample in memory.samples(of: .history) {
      print("\(memory.ageMinutes - sample.minute.value) minutes ago: \(sample.raw.glucose)")
    }
    #expect(printed.count == 32)
  }

  @Test("a program adds a format of its own, and sends to a receiver of its own")
  func ownDoors() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/diary"
    try Data("diary 104\n".utf8).write(to: URL(fileURLWithPath: path))
    let store = try StoreFile.openForWriting(folder.path + "/history.sqlite")
    let diary = OneValueDiary()
    let receiver = NoReceiver()
    var printed: [String] = []
    func print(_ text: String) { printed.append(text) }
    var catalogue = Catalogue.standard
    catalogue.add(diary)
    let receipt = try store.importFile(at: path, catalogue: catalogue)
    #expect(receipt.format == "diary" && receipt.added == 1 && receipt.leftOut.isEmpty)
    #expect(throws: LibreError.self) { try store.importFile(at: path) }
    let sent = try await store.send(to: receiver)
    print("\(sent.accepted) accepted, \(sent.queued) waiting")
    // The receiver takes the history of sensors alone, and the store has only a value of the diary.
    #expect(printed == ["0 accepted, 0 waiting"])
  }

  @Test("a program gets the code and the cause of an error")
  func failure() {
    var printed: [String] = []
    func print(_ texts: String...) { printed += texts }
    let path = Repository.dumps.appendingPathComponent("x-bad-body.hex").path
    do {
      _ = try DumpDecoder().decode(contentsOf: path)
    } catch {
      print(error.code, error.message)
    }
    #expect(printed.first == "crc_mismatch" && printed.count == 2)
  }

  @Test(
    "the documentation shows only code that is compiled here",
    arguments: [
      "README.md", "Sources/LibreKit/LibreKit.docc/LibreKit.md", "Sources/Libre1Core/Libre1Core.docc/Libre1Core.md",
      "Sources/libre/libre.docc/UseItInAProgram.md",
    ])
  func documents(path: String) throws {
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let compiled = Set(source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
    let document = try String(contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
    let blocks = document.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    #expect(!blocks.isEmpty)
    for line in blocks.flatMap({ $0.split(separator: "\n") }) {
      let code = line.trimmingCharacters(in: .whitespaces)
      #expect(compiled.contains(code), "\(path) shows a line that no test compiles: \(code)")
    }
  }
}

private struct OneValueDiary: HistoryFileFormat {
  let name = "diary"
  let summary = "a word and a value"

  func values(in file: [UInt8]) -> [ImportedSample]? {
    let words = String(decoding: file, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.first == "diary", words.count == 2, let value = Double(words[1]) else { return nil }
    return [
      ImportedSample(
        source: name, time: Instant(secondsSince1970: 1_767_225_600),
        concentration: GlucoseConcentration(milligramsPerDecilitre: value))
    ]
  }
}

private struct NoReceiver: SampleReceiver {
  let name = "nowhere"

  func receive(_ samples: [SentSample]) throws { Issue.record("there is nothing to receive") }
}
