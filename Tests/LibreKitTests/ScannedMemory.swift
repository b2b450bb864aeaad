// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import NFCTransport
import TestSupport

/// A memory with three sound checksums, built with literal offsets and a checksum of its own, so that no code under
/// test decides what is valid. The bytes in between have no meaning: a scan uses checksums, indices and age only.
struct ScannedMemory {
  static let uid = SensorUID(bits: 0xE007_A000_0025_905E)!
  static let patchInfo = PatchInfo([0xDF, 0, 0, 0, 0, 0])!

  var bytes: [UInt8] = (0..<344).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }

  init(age: UInt16 = 4_000, trendIndex: UInt8 = 5, historyIndex: UInt8 = 30) {
    (bytes[26], bytes[27]) = (trendIndex, historyIndex)
    (bytes[316], bytes[317]) = (UInt8(age & 0xFF), UInt8(age >> 8))
    for region in [0..<24, 24..<320, 320..<344] { bytes.seal(region) }
  }

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the memory after records were written into these slots and `minutes` have passed.
  func ticked(trendSlots: [Int], historySlots: [Int] = [], minutes: UInt16 = 1) -> ScannedMemory {
    var later = self
    for slot in trendSlots { for byte in 0..<6 { later.bytes[28 + slot * 6 + byte] ^= 0x55 } }
    for slot in historySlots { for byte in 0..<6 { later.bytes[124 + slot * 6 + byte] ^= 0x55 } }
    later.bytes[26] = UInt8((Int(bytes[26]) + trendSlots.count) % 16)
    later.bytes[27] = UInt8((Int(bytes[27]) + historySlots.count) % 32)
    let age = (UInt16(bytes[316]) | UInt16(bytes[317]) << 8) + minutes
    (later.bytes[316], later.bytes[317]) = (UInt8(age & 0xFF), UInt8(age >> 8))
    later.bytes.seal(24..<320)
    return later
  }

  func spoilt(at offset: Int) -> ScannedMemory {
    var spoilt = self
    spoilt.bytes[offset] ^= 0x10
    return spoilt
  }

  func block(_ number: Int) -> [UInt8] { Array(bytes[number * 8..<number * 8 + 8]) }

  func answer(to request: ISO15693.Request) -> ISO15693.Response {
    switch request {
    case .inventory: .inventory(Self.uid)
    case .patchInfo: .patchInfo(Self.patchInfo)
    case .readBlock(let number): .blocks(block(Int(number)))
    case .readBlocks(let run): .blocks((0..<Int(run.count)).flatMap { block(Int(run.first) + $0) })
    // A Libre 1 has no such commands.
    case .systemInformation, .readWideBlock, .readWideBlocks: .error(.notSupported)
    }
  }

  func image(readAt: Instant? = nil) -> MemoryImage {
    MemoryImage(bytes: bytes, uid: Self.uid, patchInfo: Self.patchInfo, readAt: readAt)
  }
}

enum Frames {
  static let inventory: [[UInt8]] = [[0x26, 0x01, 0x00]]
  static let patchInfo: [[UInt8]] = [[0x02, 0xA1, 0x07]]
  static let header: [[UInt8]] = [[0x02, 0x23, 0, 2]]
  static let body: [[UInt8]] = stride(from: 3, through: 36, by: 3).map { [0x02, 0x23, $0, 2] } + [[0x02, 0x20, 39]]
  static let footer: [[UInt8]] = [[0x02, 0x23, 40, 2]]
  static let opening = inventory + header + patchInfo
  static let whole = opening + body + footer
  /// The blocks with indices and age.
  static let minute: [[UInt8]] = [[0x02, 0x20, 3], [0x02, 0x20, 39]]

  static func singles(_ blocks: ClosedRange<UInt8>) -> [[UInt8]] { blocks.map { [0x02, 0x20, $0] } }
}

extension Scan {
  /// Answers requests until there are no more, or until `limit` answers were given, and lists the requests.
  @discardableResult mutating func drive(
    limit: Int = 1_000, answer: (ISO15693.Request) -> ISO15693.Response
  ) throws(TransportError) -> [[UInt8]] {
    var frames: [[UInt8]] = []
    while frames.count < limit, let request = next() {
      frames.append(request.frame)
      try feed(answer(request))
    }
    return frames
  }
}

extension ScanRunner {
  /// The time of every scan here.
  static let readAt = Instant(secondsSince1970: 1_795_000_000)

  static func run(
    on reader: any TagReader, retrying policy: RetryPolicy = .standard,
    onEvent: @escaping @Sendable (ScanEvent) -> Void = { _ in }
  ) async -> ScanReport {
    await run(on: reader, limit: .seconds(60), retrying: policy, now: { readAt }, onEvent: onEvent)
  }
}
