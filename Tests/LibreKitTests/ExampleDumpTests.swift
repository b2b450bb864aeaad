// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import Foundation
import Libre1Core
import LibreKit
import TestSupport
import Testing

/// The invented examples of every format in `ExampleDumps`: one memory of one sensor, whole and overwritten.
struct ExampleDumpTests {
  static let uid = SensorUID(bits: 0xE007_A000_0123_4567)
  private static let folder = Repository.root.appendingPathComponent("Tests/LibreKitTests/ExampleDumps")

  struct Example: Sendable, CustomTestStringConvertible {
    let file: String
    let format: String
    var byteCount = 344
    var hasUID = false
    var testDescription: String { file }
  }

  static let sound: [Example] = [
    Example(file: "arduino-unpadded.txt", format: "libremonitor"),
    Example(file: "bad-wrong-uid-order.txt", format: "hex", hasUID: true),
    Example(file: "base64.txt", format: "base64"),
    Example(file: "diable-address.txt", format: "diable"), Example(file: "diable-blocks.txt", format: "diable"),
    Example(file: "flipper-43.nfc", format: "flipper", hasUID: true),
    Example(file: "flipper.nfc", format: "flipper", byteCount: 1_952, hasUID: true),
    Example(file: "hex-bare-lines.txt", format: "hex"), Example(file: "hex-oneline.txt", format: "hex"),
    Example(file: "libremonitor-comments.txt", format: "libremonitor"),
    Example(file: "libremonitor-wiki.txt", format: "libremonitor"),
    Example(file: "libreoop-request.txt", format: "oop-request"),
    Example(file: "proxmark-console.txt", format: "proxmark-console", byteCount: 1_952),
    Example(file: "proxmark-old-console.txt", format: "proxmark-old", byteCount: 1_952),
    Example(file: "proxmark-v3-deprecated.json", format: "proxmark-json"),
    Example(file: "proxmark-v4-244blocks.json", format: "proxmark-json", byteCount: 1_952, hasUID: true),
    Example(file: "proxmark-v4-43blocks.json", format: "proxmark-json", hasUID: true),
    Example(file: "proxmark-v4.bin", format: "proxmark-bin", hasUID: true),
    Example(file: "proxmark.eml", format: "proxmark-eml"),
    Example(file: "raw-1952.bin", format: "raw", byteCount: 1_952), Example(file: "raw-344.bin", format: "raw"),
    Example(file: "raw-360.bin", format: "raw", byteCount: 360),
    Example(file: "taginfo.txt", format: "taginfo", byteCount: 1_952, hasUID: true),
    Example(file: "xdrip-librewifi.json", format: "librewifi", hasUID: true),
  ]

  private func bytes(_ file: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(file)))
  }

  @Test("every example decodes to the same memory, with the UID if the file has it", arguments: sound)
  func sameMemory(example: Example) throws {
    let reading = try DumpDecoder().decode(contentsOf: Self.folder.appendingPathComponent(example.file).path)
    let memory = try bytes("raw-344.bin")
    #expect(reading.source.format == example.format)
    #expect(Array(reading.memory.bytes.prefix(344)) == memory)
    #expect(reading.memory.bytes.count == example.byteCount)
    #expect(reading.memory.missingBlocks.isEmpty)
    #expect(reading.sensor.uid == (example.hasUID ? Self.uid : nil))
    #expect(reading.sensor.serial == (example.hasUID ? "0M00028U5DW" : nil))
    #expect(reading.integrity.header == .ok && reading.integrity.body == .ok && reading.integrity.footer == .ok)
    #expect(reading.samples.count == 48)
  }

  @Test(
    "the history of a dump that a Proxmark client has overwritten is salvaged",
    arguments: ["proxmark-v4-244-overwritten.bin", "proxmark-v4-244blocks-overwritten.json"])
  func overwritten(file: String) throws {
    var options = DecodeOptions()
    options.salvage = true
    let reading = try DumpDecoder(options: options).decode(bytes(file))
    let sound = try DumpDecoder().decode(bytes("raw-344.bin"))
    #expect(throws: LibreError.dump(.overwrittenByProxmark)) { try DumpDecoder().decode(bytes(file)) }
    #expect(reading.isSalvaged)
    #expect(reading.trend.isEmpty && reading.current == nil)
    // Unlike in real memories, the history index of the invented one is six slots behind its age: the records are
    // in other slots. ReferenceMemoriesTests compares the estimate with the index on real memories.
    #expect(reading.history.map(\.minute.value) == (0..<32).map { 14_415 - 15 * $0 })
    let counts = { (samples: [GlucoseSample]) in samples.map { Int($0.raw.glucose) } }
    let (salvaged, all) = (counts(reading.history), counts(sound.history))
    #expect(salvaged == Array(all[26...] + all[..<26]))
    #expect(reading.history.allSatisfy { $0.concentration == nil })
    #expect(reading.sensor.state == .unknown(nil) && reading.sensor.ageMinutes == sound.sensor.ageMinutes)
    #expect(reading.problems.contains(.overwrittenByProxmark) && reading.problems.contains(.indicesMissing))
    #expect(reading.integrity.header.name == "absent" && reading.integrity.body.name == "absent")
    #expect(reading.integrity.footer == .ok)
  }
}
