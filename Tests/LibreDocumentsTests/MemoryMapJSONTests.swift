// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TestSupport
import Testing
import TextFormats

@testable import LibreDocuments
@testable import LibreKit

@Suite("The memory map as JSON") struct MemoryMapJSONTests {
  private func map(_ image: MemoryImage) throws -> JSONValue {
    try JSONValue { MemoryMapJSON.write(MemoryMapListing(of: image, path: "dump.bin", format: "raw"), to: &$0) }
  }

  private func image(_ scenario: String) throws -> MemoryImage { try #require(Scenario.named(scenario)).image(seed: 2) }

  private func digits(_ map: JSONValue) -> String { map["fields"].elements.compactMap { $0["bytes"].text }.joined() }

  @Test("has every byte of every scenario once, in order, also of damaged ones", arguments: Scenario.all.map(\.name))
  func whole(name: String) throws {
    let image = try image(name)
    let map = try map(image)
    var next = 0.0
    for field in map["fields"].elements {
      #expect(field["offset"].number == next)
      next += try #require(field["size"].number)
    }
    #expect(next == Double(map["layout"] == .string("libre_pro") ? image.bytes.count : 344))
    guard map["decrypted"] == .bool(false) else { return }
    let expected = (0..<Int(next)).map { offset in
      let isMissing = offset >= image.bytes.count || image.missingBlocks.contains(offset / 8)
      return isMissing ? "--" : HexText.string(of: image.bytes[offset])
    }
    #expect(digits(map) == expected.joined())
  }

  @Test("gives for each region the actual and the expected checksum")
  func regions() throws {
    var bytes = LiteralMemory().bytes
    bytes[100] ^= 1
    var image = MemoryImage(bytes: bytes)
    image.missingBlocks = [41]
    let regions = try map(image)["regions"].elements
    #expect(regions.map { $0["name"] } == ["header", "body", "footer"].map(JSONValue.string))
    #expect(regions.map { $0["integrity"] } == ["ok", "bad", "absent"].map(JSONValue.string))
    #expect(regions[0]["stored_crc"] == regions[0]["computed_crc"] && regions[0]["offset"].number == 0)
    #expect(regions[1]["stored_crc"] != regions[1]["computed_crc"] && regions[1]["size"].number == 296)
    let (stored, computed) = MemoryMap.body.checksums(in: bytes.span)
    #expect(regions[1]["stored_crc"].text == HexText.string(of: stored))
    #expect(regions[1]["computed_crc"].text == HexText.string(of: computed))
    #expect(regions[2]["stored_crc"] == .null && regions[2]["missing_blocks"] == .array([.number(41)]))
  }

  @Test("has the records of both rings with the same minutes and counts as a reading")
  func records() throws {
    let image = try image("active")
    let reading = try DumpDecoder().decode(image.bytes)
    let map = try map(image)
    for (ring, count) in [(SampleRing.trend, 16), (.history, 32)] {
      let records = map[ring.rawValue].elements
      #expect(records.map { $0["slot"].number } == (0..<count).map(Double.init))
      let samples = reading.samples.filter { $0.ring == ring }
      #expect(samples.count == count)
      for sample in samples {
        let raw = try #require(records.first { $0["minute"].number == Double(sample.minute.value) })["raw"]
        #expect(raw["glucose"].number == Double(sample.raw.glucose) && raw["has_error"] == .bool(sample.raw.hasError))
        #expect(raw["temperature"].number == Double(sample.raw.temperature))
      }
    }
  }

  @Test("of a sensor that is not started has empty records, without a minute")
  func notStarted() throws {
    let map = try map(image("not-activated"))
    #expect(map["trend"].elements.allSatisfy { $0["never_written"] == .bool(true) && $0["minute"] == .null })
    #expect(map["history"].elements.count == 32)
  }

  @Test("reports if no checksum is valid, and then names no layout")
  func unknown() throws {
    let blank = try map(MemoryImage(bytes: Array(repeating: 0xFF, count: 344)))
    #expect(blank["layout"] == .null && blank["remark"].text == "every byte is FF, so it contains no data")
    #expect(try map(image("active"))["remark"] == .null)
    #expect(try map(image("active"))["layout"] == .string("libre1"))
  }
}
