// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import Libre1Core
import LibreKit
import NFCTransport
import TestSupport
import Testing

struct DumpWriterTests {
  private static let names = Catalogue.standard.dumpWriters.map(\.name)

  private func writer(_ name: String) throws -> any DumpWriter { try #require(DumpEncoder.writer(named: name)) }

  private func held(_ image: MemoryImage, by writer: any DumpWriter) -> MemoryImage {
    var image = image
    if !writer.holds.contains(.uid) { image.uid = nil }
    if !writer.holds.contains(.patchInfo) { image.patchInfo = nil }
    if !writer.holds.contains(.readAt) { image.readAt = nil }
    return image
  }

  private func refusal(of image: MemoryImage, by writer: any DumpWriter) -> DumpError? {
    if image.uid == nil, ["flipper", "proxmark-json"].contains(writer.name) {
      return .cannotWrite(format: writer.name, obstacle: .noUID)
    }
    guard !image.missingBlocks.isEmpty, !writer.holds.contains(.missingBlocks) else { return nil }
    return .cannotWrite(format: writer.name, obstacle: .missingBlocks(BlockSet(image.missingBlocks)))
  }

  /// An image with any number of blocks that a sensor can have, with and without each optional property.
  static func image(seed: UInt64) -> MemoryImage {
    var random = SplitMix64(seed: seed)
    let blocks = [43, 43, 44, 45, 46, 22, 244, random.number(1...244)][random.number(0...7)]
    var image = MemoryImage(bytes: random.bytes(blocks * 8))
    if random.number(0...1) == 0, blocks >= 43 {
      for region in [0..<24, 24..<320, 320..<344] { image.bytes.seal(region) }
    }
    if random.number(0...2) > 0 { image.uid = SensorUID(bits: 0xE007_A000_0000_0000 | random.next() >> 24) }
    if random.number(0...2) > 0 { image.patchInfo = PatchInfo(random.bytes([6, 6, 24][random.number(0...2)])) }
    if random.number(0...2) > 0 {
      image.readAt = Instant(secondsSince1970: Int64(random.number(1_400_000_000...2_000_000_000)))
    }
    if random.number(0...4) == 0, blocks > 1 {
      image.missingBlocks = Set((0..<random.number(1...min(blocks - 1, 9))).map { _ in random.number(0...blocks - 1) })
        .sorted()
      for block in image.missingBlocks {
        image.bytes.replaceSubrange(block * 8..<block * 8 + 8, with: Array(repeating: 0, count: 8))
      }
    }
    return image
  }

  @Test("random memories survive writing and reading in every format", arguments: names)
  func roundTrip(name: String) throws {
    let writer = try writer(name)
    let count = TestTier.rounds(60, full: 1_000)
    var written = 0
    for seed in 0..<UInt64(count) {
      let image = Self.image(seed: seed)
      let file: [UInt8]
      switch Result(catching: { () throws(DumpError) in try writer.file(of: image) }) {
      case .success(let bytes): file = bytes
      case .failure(let error):
        #expect(error == refusal(of: image, by: writer), "seed \(seed)")
        continue
      }
      written += 1
      let dumps = Array(try writer.dumps(in: DumpFile(file)))
      #expect(dumps.count == 1, "seed \(seed): one memory is one dump")
      #expect(try dumps.first?.get().image == held(image, by: writer), "seed \(seed)")
      let isWhole = held(image, by: writer) == image
      #expect(writer.losses(of: image).isEmpty == isWhole, "seed \(seed): the losses are reported")
    }
    #expect(written >= TestTier.rounds(24, full: 500), "\(written) of \(count) could be written")
  }

  @Test("the format of a file with a valid memory is detected", arguments: names)
  func found(name: String) throws {
    let writer = try writer(name)
    let scenario = try #require(Scenario.named("active"))
    for seed in 1...UInt64(TestTier.rounds(5, full: 40)) {
      let image = scenario.image(seed: seed)
      let file = try writer.file(of: image)
      let dump = try DumpDecoder().open(file)
      #expect(dump.format == name)
      #expect(try DumpDecoder().image(in: dump) == held(image, by: writer))
      let reading = try DumpDecoder().decode(file)
      #expect(reading.source.dump == 1)
      #expect(reading.samples.map(\.minute) == (try DumpDecoder().decode(image.bytes)).samples.map(\.minute))
    }
  }
}
