// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TestSupport

@testable import LibreKit

/// The decoder, on bytes as they come and on bytes whose checksums are made right first: of those that come by chance,
/// none gets past three checksums.
enum MemoryTargets {
  static let all = [
    FuzzTarget(name: "decoder", seeds: { memories }, longest: 512, testRuns: 2_000, run: decode),
    FuzzTarget(
      name: "resealed", seeds: { memories.map { $0 + [0, 0] } }, longest: 344 + 40, testRuns: 500, run: reseal),
  ]

  /// Of every scenario that has as many bytes.
  static let memories = Scenario.all.map { Array($0.memory(seed: 1).prefix(344)) }.filter { $0.count == 344 }

  /// Arbitrary bytes: the decoder refuses those that the slow one cannot read, and says of the others what that says.
  private static func decode(_ bytes: [UInt8]) throws {
    let slow = bytes.count >= 344 ? SlowMemory(bytes) : nil
    let isReadable = slow?.isReadable(salvaging: false) ?? false
    do {
      let decoded = try Libre1Decoder.decode(bytes.span)
      let slow = try require(slow, "decoded, though too short")
      try require(isReadable, "decoded, not refused")
      try DecodedMemoryOracle.check(decoded, against: slow)
    } catch let error as MemoryError {
      try require(!isReadable, "refused: \(error)")
    }
    // One that decodes is the same with and without salvaging.
    if let slow, !isReadable { try salvage(bytes, slow, missing: [], footer: nil) }
  }

  /// With everything that still can be had of it.
  private static func salvage(
    _ bytes: [UInt8], _ slow: SlowMemory, missing: Set<Int>, footer: [UInt8]?
  ) throws {
    let isReadable = slow.isReadable(salvaging: true)
    do {
      let memory = try FRAM(bytes.span, missingBlocks: BlockSet(missing)).validated(salvaging: true, footer: footer)
      try require(isReadable, "salvaged, not refused")
      try DecodedMemoryOracle.check(Libre1Decoder.decode(memory), against: slow)
    } catch let error as MemoryError {
      try require(!isReadable, "refused: \(error)")
    }
  }

  /// 344 bytes and how they are damaged after they were sealed: nothing, a region, a tick of the minute, missing blocks.
  private static func reseal(_ input: [UInt8]) throws {
    guard input.count >= 344 else { return }
    var bytes = Array(input.prefix(344))
    var options = FuzzBytes(Array(input.dropFirst(344)))
    let damage = options.byte()
    // Indices by chance are possible once in 128 times.
    if damage & 0x80 == 0 {
      bytes[26] &= 15
      bytes[27] &= 31
    }
    for region in SlowMemory.regions { bytes.seal(region) }
    var missing: Set<Int> = []
    var footer: [UInt8]?
    switch damage & 7 {
    case 1: bytes[0] ^= 1
    case 2: bytes[343] ^= 1
    case 3: tick(&bytes)
    case 4: missing = Set(options.some(8).map { Int($0) % 43 })
    case 5: bytes[28 + Int(options.byte())] ^= 1
    case 6:
      bytes[321] ^= 1
      footer = Array(MemoryTargets.memories[options.index(below: memories.count)][320..<344])
    default: break
    }
    for block in missing { bytes.replaceSubrange(8 * block..<8 * block + 8, with: [UInt8](repeating: 0, count: 8)) }
    let slow = SlowMemory(bytes, missing: missing, footer: footer)
    try salvage(bytes, slow, missing: missing, footer: footer)
    if damage & 7 == 0 {
      let isRefused = (try? Libre1Decoder.decode(bytes.span)) == nil
      try require(isRefused != slow.isReadable(salvaging: false), "a sealed memory is refused for its ring indices")
    }
  }

  /// As if the minute had ticked while the memory was read.
  private static func tick(_ bytes: inout [UInt8]) {
    let age = Int(bytes[316]) + 256 * Int(bytes[317])
    guard age < 65_535 else { return }
    (bytes[316], bytes[317]) = (UInt8((age + 1) % 256), UInt8((age + 1) / 256))
  }
}
