// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import Libre1Core
public import NFCTransport

/// One scan of a sensor as a value: it says what to ask next and is told the answer. It knows no reader and no clock.
///
/// It asks for the UID, the patch info, then the memory section by section. A sensor that refuses a read of several
/// blocks is asked for one at a time from then on; a block that it refuses is missing from the image. A section whose
/// checksum does not hold is read once more, since the sensor may have been writing it; a torn body is not, because it
/// says all that a sound one would.
public struct Scan: Sendable {
  private var pending: [ISO15693.Request] = [.inventory]
  private var uid: SensorUID?
  private var patchInfo: PatchInfo?
  private var bytes = [UInt8](repeating: 0, count: MemoryMap.byteCount)
  private var missing = Set(0..<MemoryMap.blockCount)
  private var mayReadAgain = true

  public init() {}

  /// The question to put to the sensor, the same until its answer is fed; nil if all has been asked.
  public func next() -> ISO15693.Request? { pending.first }

  /// Takes the answer to `next()`; one too many is ignored.
  ///
  /// Throws `otherTag` if no maker of sensors made this tag, `tag` if it refuses to say its UID or to show any block, and
  /// `malformedResponse` if the answer is one to another request. After an error the same question is still the next.
  public mutating func feed(_ response: ISO15693.Response) throws(TransportError) {
    guard let request = next() else { return }
    var rest = Array(pending.dropFirst())
    switch (request, response) {
    case (.inventory, .inventory(let uid)):
      guard let manufacturer = ISO15693.Manufacturer(rawValue: uid.manufacturer) else { throw .otherTag(uid) }
      self.uid = uid
      rest = [.patchInfo(manufacturer)] + Self.plan(MemoryMap.regions)
    case (.patchInfo, .patchInfo(let info)): patchInfo = info
    case (.patchInfo, .error): break
    case (.readBlocks(let run), .blocks(let data)) where data.count == Int(run.count) * MemoryMap.blockSize:
      keep(data, from: Int(run.first))
    case (.readBlocks, .error): rest = pending.flatMap(\.blockByBlock)
    case (.readBlock(let block), .blocks(let data)) where data.count == MemoryMap.blockSize:
      keep(data, from: Int(block))
    case (.readBlock(let block), .error(let error)):
      forget(Int(block))
      if rest.isEmpty && missing.count == MemoryMap.blockCount { throw .tag(error, block: Int(block)) }
    case (_, .error(let error)): throw .tag(error, block: request.firstBlock)
    case (_, .inventory), (_, .systemInformation), (_, .blocks), (_, .patchInfo):
      throw .malformedResponse(to: request, length: 0)
    }
    pending = rest
    if pending.isEmpty && mayReadAgain {
      mayReadAgain = false
      pending = Self.plan(damagedRegions)
    }
  }

  /// What has been read so far. Blocks that were not read are zero and named as missing.
  public func image(readAt: Instant?) -> MemoryImage {
    MemoryImage(bytes: bytes, missingBlocks: missing.sorted(), uid: uid, patchInfo: patchInfo, readAt: readAt)
  }

  private static func plan(_ regions: [MemoryMap.Region]) -> [ISO15693.Request] {
    ReadPlan(sections: regions.map(\.blocks)).requests
  }

  /// Regions whose checksum does not hold though all their blocks are there. The checksums of other families are elsewhere
  /// or encrypted: there a second read would tell no more.
  private var damagedRegions: [MemoryMap.Region] {
    guard [.libre1, .unknown].contains(patchInfo?.family ?? .unknown) else { return [] }
    guard let integrity = try? FRAM(image(readAt: nil)).integrity else { return [] }
    let verdicts = [
      (MemoryMap.header, integrity.header), (MemoryMap.body, integrity.body), (MemoryMap.footer, integrity.footer),
    ]
    return verdicts.compactMap { region, verdict in
      switch verdict {
      case .bad: region
      case .ok, .torn, .absent: nil
      }
    }
  }

  private mutating func keep(_ data: [UInt8], from first: Int) {
    let start = first * MemoryMap.blockSize
    bytes.replaceSubrange(start..<start + data.count, with: data)
    missing.subtract(first..<first + data.count / MemoryMap.blockSize)
  }

  private mutating func forget(_ block: Int) {
    keep([UInt8](repeating: 0, count: MemoryMap.blockSize), from: block)
    missing.insert(block)
  }
}
