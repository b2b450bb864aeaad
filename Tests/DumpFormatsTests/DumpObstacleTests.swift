// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import Testing

@testable import DumpFormats

@Suite("Images that a format cannot hold") struct DumpObstacleTests {
  private func expect(_ obstacle: DumpError.Obstacle, writing image: MemoryImage, by writer: any DumpWriter) {
    #expect(throws: DumpError.cannotWrite(format: writer.name, obstacle: obstacle)) {
      try writer.file(of: image, notes: [])
    }
  }

  @Test("a format of blocks refuses an incomplete block and an image without blocks", arguments: [0, 1, 343])
  func cutBlock(count: Int) {
    let image = MemoryImage(bytes: Array(repeating: 1, count: count), uid: TextFixture.uid)
    let ofBlocks: [any DumpWriter] = [FlipperDump(), DiaBLEDump(), ProxmarkJSONDump(), ProxmarkEMLDump()]
    for writer in ofBlocks { expect(.cutBlock(byteCount: count), writing: image, by: writer) }
  }

  @Test("missing blocks that would be read as zeros, a missing UID, and too many blocks are refused where they must be")
  func others() throws {
    let rows: [(MemoryImage, DumpError.Obstacle, [any DumpWriter])] = [
      (
        MemoryImage(bytes: TextFixture.memory, missingBlocks: [3, 4], uid: TextFixture.uid),
        .missingBlocks(BlockSet([3, 4])), [RawDump(), FlipperDump(), ProxmarkEMLDump()]
      ),
      (MemoryImage(bytes: TextFixture.memory), .noUID, [FlipperDump(), ProxmarkJSONDump()]),
      (try longImage(), .tooManyBlocks(1_100, limit: 244), [FlipperDump(), DiaBLEDump(), ProxmarkJSONDump()]),
    ]
    for (image, obstacle, writers) in rows {
      for writer in writers { expect(obstacle, writing: image, by: writer) }
    }
  }

  /// The memory of a Libre Pro with its history, longer than that of any other sensor by the largest possible one.
  private func longImage() throws -> MemoryImage {
    var image = try #require(Scenario.named("pro-history")).image(seed: 3)
    image.bytes += [UInt8](repeating: 0x21, count: 8_800 - image.bytes.count)
    return image
  }

  @Test("the hex format holds a long memory, including missing blocks above 255")
  func hex() throws {
    var image = try longImage()
    image.missingBlocks = [300, 1_029]
    for block in image.missingBlocks { for index in block * 8..<block * 8 + 8 { image.bytes[index] = 0 } }
    let found = try HexDump().onlyImage(in: Array(try HexDump().file(of: image, notes: [])))
    #expect(found.bytes == image.bytes && found.missingBlocks == image.missingBlocks)
  }
}
