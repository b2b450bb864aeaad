// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import Libre1Core
import LibreDocuments
import LibreKit
import TestSupport
import Testing
import TextFormats

/// Any bytes can be shown in every form, and the JSON stays valid.
struct DocumentRobustnessTests {
  private func survive(_ file: [UInt8], salvage: Bool, _ label: String) {
    var options = DecodeOptions()
    options.salvage = salvage
    options.uid = LiteralMemory.uid
    options.readTime = .at(LiteralMemory.readAt)
    let decoder = DumpDecoder(options: options)
    var writer = JSONWriter(indented: false)
    do {
      let reading = try decoder.decode(file, path: "dump")
      ReadingJSON.write(reading, unit: .millimolesPerLitre, to: &writer)
      let table = ReadingTable(unit: .milligramsPerDecilitre, style: Style(isColored: false)).text(of: reading)
      #expect(table.hasSuffix(Program.disclaimer + "\n"), "\(label)")
      let rows = (try? CSVTable(ReadingCSV.rows(reading, unit: .milligramsPerDecilitre)))?.rows
      #expect(rows?.count == reading.samples.count, "\(label)")
      #expect(reading.samples.allSatisfy { $0.minute.value > 0 }, "\(label)")
      #expect(reading.samples.allSatisfy { $0.concentration?.milligramsPerDecilitre.isFinite ?? true }, "\(label)")
    } catch {
      ErrorJSON.write(error, path: "dump", to: &writer)
      #expect([64, 65].contains(error.exitStatus), "\(label): \(error)")
    }
    #expect((try? JSONSerialization.jsonObject(with: Data(writer.bytes))) != nil, "\(label)")
    if let dump = try? decoder.open(file), let image = try? decoder.image(in: dump) {
      let map = MemoryMapListing(of: image, path: "dump", format: dump.format)
      let text = MemoryMapText(style: Style(isColored: false)).text(of: map)
      var json = JSONWriter(indented: false)
      MemoryMapJSON.write(map, to: &json)
      #expect((try? JSONSerialization.jsonObject(with: Data(json.bytes))) != nil, "\(label)")
      let isPro = text.contains("layout of a Libre Pro")
      #expect(text.contains(isPro ? "footer, bytes 40–71" : "footer, bytes 320–343"), "\(label)")
    }
  }

  @Test("decoding and its documents survive changed memories, with or without new checksums, complete or cut off")
  func mutated() {
    for seed in 0..<UInt64(TestTier.rounds(40, full: 240)) {
      var random = SplitMix64(seed: seed)
      let scenario = Scenario.all[random.number(0...Scenario.all.count - 1)]
      var memory = LiteralMemory()
      memory.bytes = scenario.memory(seed: seed)
      for _ in 0..<random.number(0...40) {
        memory.bytes[random.number(0...memory.bytes.count - 1)] = UInt8(truncatingIfNeeded: random.next())
      }
      if memory.bytes.count >= 344, random.number(0...3) > 0 {
        // Ring indices that are possible let the rest be looked at.
        memory.bytes[26] %= 17
        memory.bytes[27] %= 33
        memory.seal()
      }
      if random.number(0...4) == 0 { memory.bytes = Array(memory.bytes.prefix(random.number(1...memory.bytes.count))) }
      survive(memory.bytes, salvage: random.number(0...1) == 0, "seed \(seed), \(scenario.name)")
    }
  }

  @Test("decoding and its documents survive random bytes with valid checksums, in which every field is nonsense")
  func sealedNoise() {
    for seed in 0..<UInt64(TestTier.rounds(15, full: 100)) {
      var random = SplitMix64(seed: seed)
      var memory = LiteralMemory()
      memory.bytes = random.bytes(344)
      memory.bytes[26] &= 15
      memory.bytes[27] &= 31
      memory.seal()
      survive(memory.bytes, salvage: false, "seed \(seed)")
    }
  }
}
