// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import Testing

@testable import DumpFormats

@Suite("Memory of a Libre Pro with its history") struct LongMemoryTests {
  private func image() throws -> MemoryImage {
    var image = try #require(Scenario.named("pro-history")).image(seed: 3)
    // Longer than that of any other sensor by the largest possible history.
    image.bytes += [UInt8](repeating: 0x21, count: 8_800 - image.bytes.count)
    return image
  }

  @Test("formats limited to 244 blocks refuse it and report both numbers")
  func refused() throws {
    let image = try image()
    for writer in [FlipperDump(), DiaBLEDump(), ProxmarkJSONDump()] as [any DumpWriter] {
      #expect(throws: DumpError.cannotWrite(format: writer.name, obstacle: .tooManyBlocks(1_100, limit: 244))) {
        try writer.file(of: image, notes: [])
      }
    }
  }

  @Test("the hex format reads back what it wrote, including missing blocks above 255")
  func hex() throws {
    var image = try image()
    image.missingBlocks = [300, 1_029]
    for block in image.missingBlocks { for index in block * 8..<block * 8 + 8 { image.bytes[index] = 0 } }
    let found = try HexDump().onlyImage(in: Array(try HexDump().file(of: image, notes: [])))
    #expect(found.bytes == image.bytes && found.missingBlocks == image.missingBlocks)
  }
}
