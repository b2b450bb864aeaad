// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import LibreKit

/// Rows that say which block they are may come in any order.
enum BlockOrderTarget {
  static let all = [FuzzTarget(name: "block-order", seeds: { seeds }, longest: 512, testRuns: 150, run: run)]

  /// A byte for the format, 43 for the order, then the memory.
  private static let seeds = DumpText.numbered.indices.map { format in
    [UInt8(format)] + (0..<43).map { UInt8($0 * 37 % 251) } + MemoryTargets.memories[format]
  }

  private static func run(_ input: [UInt8]) throws {
    var draw = FuzzBytes(input)
    let text = DumpText.numbered[draw.index(below: DumpText.numbered.count)]
    let keys = draw.bytes(43)
    var memory = draw.some(344)
    memory += [UInt8](repeating: 0, count: 344 - memory.count)
    let order = (0..<43).sorted { (keys[$0], $0) < (keys[$1], $1) }
    let format = try require(
      Catalogue.standard.dumpFormats.first { $0.name == text.format }, "a format called \(text.format)")
    let inOrder = try image(text.file(of: memory), format)
    let shuffled = try image(text.file(of: memory, order: order), format)
    try require(inOrder.bytes == memory, "\(text.format): the memory is in its rows")
    try require(shuffled == inOrder, "\(text.format): in another order it is the same memory")
  }

  private static func image(_ file: [UInt8], _ format: any DumpFormat) throws(OracleFailure) -> MemoryImage {
    do {
      return try DumpChoice.number(1).dump(in: try format.dumps(in: DumpFile(file))).dump.image
    } catch {
      throw OracleFailure(description: "\(format.name): refused: \(error)\n\(String(decoding: file, as: UTF8.self))")
    }
  }
}
