// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import Libre1Core
public import NFCTransport

/// One scan of a sensor as a value: it says what to ask next and is told the answer. It knows no reader and no clock.
///
/// It asks for the UID, the header, the patch info, then body and footer. The header comes so early because every
/// reader can carry a block read, and how a reader wants to be asked is found out with the first request that reaches
/// the tag. A sensor that refuses a run of blocks is asked for shorter ones from then on; a single block that it
/// refuses is missing from the image.
///
/// A section whose checksum does not hold is read again, once a tap: the sensor may have been writing it. Of the body
/// first the indices and the age are read again. If the minute ticked, the records written since follow. If that does
/// not mend it, or nothing had changed, the whole body follows. A torn body is left, because it says all that a sound
/// one would.
public struct Scan: Sendable {
  private var isIdentified = false
  /// nil as long as none is known, or if the reader cannot tell.
  private var uid: SensorUID?
  private var patchInfo: PatchInfo?
  /// Whose question the patch info is; nil if it is not to be asked.
  private var patchInfoQuestion: ISO15693.Manufacturer?
  private var wasLostAtPatchInfo = false
  private var plan = ReadPlan(sections: MemoryMap.regions.map(\.blocks))
  private var repair = Repair.due
  private var bytes = [UInt8](repeating: 0, count: MemoryMap.byteCount)
  private var missing = Set(0..<MemoryMap.blockCount)

  /// What has been done about damage since the last tap.
  private enum Repair {
    case due
    /// Header and footer are read again, and of the body what tells its minute, which was this.
    case checkingMinute(MinuteMark)
    /// The records written since then are read again.
    case catchingUp
    case done
  }

  public init() {}

  /// Blocks that a memory has.
  public static let blockCount = MemoryMap.blockCount

  /// Blocks of it that have been read.
  public var blocksRead: Int { Self.blockCount - missing.count }

  /// The question to put to the sensor, the same until its answer is fed; nil if all has been asked.
  public func next() -> ISO15693.Request? {
    guard isIdentified else { return .inventory }
    if let patchInfoQuestion, (plan.sections.first?.lowerBound ?? .max) >= MemoryMap.header.blocks.upperBound {
      return .patchInfo(patchInfoQuestion)
    }
    return plan.next
  }

  /// Takes the answer to `next()`; one too many is ignored.
  ///
  /// A sensor with another UID than before `resume` starts afresh. One that will not say its UID because the reader
  /// cannot ask is read without, and without patch info, since only its maker knows that command.
  ///
  /// Throws `otherTag` if no maker of sensors made this tag, `tag` if it refuses to say its UID or to show any block,
  /// and `malformedResponse` if the answer is one to another request. After an error the same question is still the
  /// next.
  public mutating func feed(_ response: ISO15693.Response) throws(TransportError) {
    guard let request = next() else { return }
    switch (request, response) {
    case (.inventory, .inventory(let found)):
      guard let manufacturer = ISO15693.Manufacturer(rawValue: found.manufacturer) else { throw .otherTag(found) }
      if found != uid { begin(with: found, madeBy: manufacturer) }
      isIdentified = true
    case (.inventory, .error(.notSupported)):
      begin(with: nil, madeBy: nil)
      isIdentified = true
    case (.patchInfo, .patchInfo(let info)):
      patchInfo = info
      patchInfoQuestion = nil
    case (.patchInfo, .error): patchInfoQuestion = nil
    case (.readBlocks(let run), .blocks(let data)) where data.count == Int(run.count) * MemoryMap.blockSize:
      keep(data, from: Int(run.first))
    case (.readBlocks(let run), .error): plan.refuse(runOf: Int(run.count))
    case (.readBlock(let block), .blocks(let data)) where data.count == MemoryMap.blockSize:
      keep(data, from: Int(block))
    case (.readBlock(let block), .error(let error)):
      if blocksRead == 0 && plan.requests.count == 1 { throw .tag(error, block: Int(block)) }
      forget(Int(block))
    case (_, .error(let error)): throw .tag(error, block: request.firstBlock)
    case (_, .inventory), (_, .systemInformation), (_, .blocks), (_, .patchInfo):
      throw .malformedResponse(to: request, length: 0)
    }
    mend()
  }

  /// Goes on after the sensor was lost for this long: it is asked for its UID, and if it is the same for what is still
  /// open.
  ///
  /// After a minute the sensor has written its memory anew, so a longer absence starts afresh, as does a sensor of
  /// which no UID is known. Patch info that was asked for when the sensor was lost is asked for once more only: some
  /// reader may lose a command that it cannot carry.
  public mutating func resume(after absence: Duration) {
    guard uid != nil, absence < .seconds(60) else {
      self = Scan()
      return
    }
    if case .patchInfo = next() {
      if wasLostAtPatchInfo { patchInfoQuestion = nil }
      wasLostAtPatchInfo = true
    }
    isIdentified = false
    repair = .due
  }

  /// What has been read so far. Blocks that were not read are zero and named as missing; a withheld UID is none.
  public func image(readAt: Instant?) -> MemoryImage {
    MemoryImage(
      bytes: bytes, missingBlocks: missing.sorted(), uid: uid.flatMap { $0.isWithheld ? nil : $0 },
      patchInfo: patchInfo, readAt: readAt)
  }

  // MARK: What was read

  private mutating func begin(with uid: SensorUID?, madeBy manufacturer: ISO15693.Manufacturer?) {
    self = Scan()
    self.uid = uid
    patchInfoQuestion = manufacturer
  }

  private mutating func keep(_ data: [UInt8], from first: Int) {
    let start = first * MemoryMap.blockSize
    let blocks = first..<first + data.count / MemoryMap.blockSize
    bytes.replaceSubrange(start..<start + data.count, with: data)
    missing.subtract(blocks)
    plan.remove(blocks)
  }

  private mutating func forget(_ block: Int) {
    keep([UInt8](repeating: 0, count: MemoryMap.blockSize), from: block)
    missing.insert(block)
  }

  // MARK: What is read again

  /// Once all has been read, plans what is to be read again.
  private mutating func mend() {
    while isIdentified && plan.next == nil {
      let damaged = damagedRegions
      let isBodyDamaged = damaged.contains(MemoryMap.body)
      switch repair {
      case .due:
        repair = isBodyDamaged ? .checkingMinute(MinuteMark(bytes)) : .done
        plan.add(damaged.flatMap { $0 == MemoryMap.body ? MinuteMark.blocks : [$0.blocks] })
      case .checkingMinute(let before):
        let written = MinuteMark(bytes).blocksWritten(since: before)
        repair = isBodyDamaged && written != nil ? .catchingUp : .done
        if isBodyDamaged { plan.add(written ?? [MemoryMap.body.blocks]) }
      case .catchingUp:
        repair = .done
        if isBodyDamaged { plan.add([MemoryMap.body.blocks]) }
      case .done: return
      }
    }
  }

  /// Regions whose checksum does not hold though all their blocks are there. The checksums of other families are
  /// elsewhere or encrypted: there a second read would tell no more.
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
}
