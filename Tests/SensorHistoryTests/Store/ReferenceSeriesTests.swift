// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import Foundation
import HistoryFormats
import SampleStore
import StoreTestSupport
import TestSupport
import Testing

@testable import LibreKit
@testable import SensorHistory

/// Tests real memories that were added later: 358 reads of one sensor, and two Libre Pro sensors with their histories.
@Suite("Series of reads and long memories") struct ReferenceSeriesTests {
  private func set(importing path: String) throws -> (samples: [HistoryEntry], tally: ImportTally) {
    let store = try StoreFile.openInMemory()
    var tally: ImportTally?
    var options = DecodeOptions()
    options.uid = SensorUID(bits: 0xE007_A000_0000_0001)
    let importer = Importer(
      into: store, decoder: DumpDecoder(options: options),
      options: ImportOptions(dateOrder: .dayFirst, clock: .utc)
    ) { event in
      switch event {
      case .done(let done): tally = done
      case .failed(_, let dump, let error): Issue.record("memory \(dump ?? 0): \(error.message)")
      case .checking, .storing: break
      }
    }
    try importer.add(path)
    try importer.finish()
    return (try store.entries(), try #require(tally))
  }

  @Test(
    "358 reads of one sensor give the same samples in either order, without a conflict, bodies repaired",
    .enabled(if: ReferenceDumps.isSeriesPresent, "\(ReferenceDumps.absence)"))
  func series() throws {
    let text = try String(contentsOf: ReferenceDumps.seriesFile, encoding: .utf8)
    let lines = text.split(separator: "\n")
    let folder = try TemporaryDirectory()
    try Data(text.utf8).write(to: folder.url.appendingPathComponent("forth.hex"))
    try Data(lines.reversed().joined(separator: "\n").utf8).write(to: folder.url.appendingPathComponent("back.hex"))
    let (forth, tally) = try set(importing: folder.path("forth.hex"))
    let (back, other) = try set(importing: folder.path("back.hex"))
    #expect(
      tally.counts.scans == 358 && other.counts.scans == 358 && tally.counts.conflicts == 0
        && other.counts.conflicts == 0)
    #expect(forth == back && forth.count > 3_000)
    let torn = DumpDecoder().readings(of: try DumpDecoder().open(folder.path("forth.hex"))).filter {
      (try? $0.get())?.integrity.body == .torn
    }
    #expect(torn.count == 4)
  }

  @Test(
    "whole Libre Pro memories have every record in its place, in each format that holds them",
    .enabled(if: ReferenceDumps.areLaterPresent, "\(ReferenceDumps.absence)"),
    arguments: [("diable-librepro-jemy032.bin", 891), ("xdrip-ytj-librepro-jema129.bin", 34)])
  func pro(file: String, count: Int) throws {
    let url = ReferenceDumps.laterFolder.appendingPathComponent(file)
    let bytes = [UInt8](try Data(contentsOf: url))
    let reading = try DumpDecoder().decode(contentsOf: url.path)
    #expect(reading.sensor.family == .librePro && reading.history.count == count && reading.trend.count == 16)
    for (place, sample) in reading.history.reversed().enumerated() {
      let record = bytes[(176 + 6 * place)...]
      #expect(sample.minute.value == 15 * (place + 1))
      #expect(
        sample.raw.glucose == (UInt16(record[record.startIndex]) | UInt16(record[record.startIndex + 1]) << 8) & 0x3FFF)
    }
    var written = 0
    for writer in Catalogue.standard.dumpWriters {
      guard let text = try? DumpEncoder.file(of: reading.memory, as: writer, notes: []) else { continue }
      written += 1
      var options = DecodeOptions()
      options.inputFormat = writer.name
      #expect(try DumpDecoder(options: options).decode(text).memory.bytes == bytes, "\(writer.name)")
    }
    #expect(written >= 3)
  }
}
