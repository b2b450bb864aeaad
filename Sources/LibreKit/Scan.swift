// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import Libre1Core
public import NFCTransport

/// One scan of a sensor as a value: it says what to ask next and is told the answer. It knows no reader and no clock.
///
/// It asks for the UID, the header, the patch info, then for what is left of the memory of that family
/// (`SensorLayout`). The header comes so early because every reader can carry a block read, and how a reader wants to
/// be asked is found out with the first request that reaches the tag. A sensor that refuses a run of blocks is asked
/// for shorter ones from then on; a single block that it refuses is missing from the image. A Libre Pro's history ends
/// with the first block that is refused, by the sensor or by a reader that cannot carry the command for blocks above
/// 255. A Libre Pro is told by its checksums where the reader cannot ask for patch info.
///
/// A section whose checksum does not hold is read again, once a tap: the sensor may have been writing it. Of the body
/// first the indices and the age are read again. If the minute ticked, the records written since follow. If that does
/// not mend it, or nothing had changed, the whole body follows. A torn body is left, because it says all that a sound
/// one would. A Libre Pro's body is read again as a whole, and once more behind a history, which takes so long to read
/// that the age would be an old one.
public struct Scan: Sendable {
  private var isIdentified = false
  /// nil as long as none is known, or if the reader cannot tell.
  private var uid: SensorUID?
  private var patchInfo: PatchInfo?
  /// Whose question the patch info is; nil if it is not to be asked.
  private var patchInfoQuestion: ISO15693.Manufacturer?
  private var wasLostAtPatchInfo = false
  private var wasLostAtWideBlock = false
  private var layout: any SensorLayout = Libre1Layout()
  /// False as long as neither the patch info nor the memory has said how it is laid out.
  private var isLayoutKnown = false
  /// All sections of it, as far as is known.
  private var sections = MemoryMap.regions.map(\.blocks)
  private var plan: ReadPlan
  private var repair = Repair.due
  /// Of whole blocks: at least those of a Libre 1.
  private var bytes = [UInt8](repeating: 0, count: MemoryMap.byteCount)
  private var read: Set<Int> = []
  private var refused: Set<Int> = []
  /// The first block of the history that is not shown; nil if none was refused. Blocks above 255 need a manufacturer's
  /// commands.
  private var historyEnd: Int?
  /// True if history was read since the body.
  private var isBodyStale = false

  /// What has been done about damage since the last tap.
  private enum Repair {
    case due
    /// Header and footer are read again, and of the body what tells its minute, which was this.
    case checkingMinute(BodyTimestamp)
    /// The records written since then are read again.
    case catchingUp
    case done
  }

  public init() { self.init(uid: nil, madeBy: nil) }

  private init(uid: SensorUID?, madeBy manufacturer: ISO15693.Manufacturer?) {
    self.uid = uid
    patchInfoQuestion = manufacturer
    historyEnd = manufacturer == nil ? Int(UInt8.max) + 1 : nil
    plan = ReadPlan(sections: sections, manufacturer: manufacturer)
  }

  /// Blocks that the memory has, as far as is known: 43 to begin with.
  public var blockCount: Int { max(sections.last?.upperBound ?? 0, (read.max() ?? -1) + 1) }

  /// Blocks of it that have been read.
  public var blocksRead: Int { read.count }

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
      if found != uid { self = Scan(uid: found, madeBy: manufacturer) }
      isIdentified = true
    case (.inventory, .error(.notSupported)):
      self = Scan()
      isIdentified = true
    case (.patchInfo, .patchInfo(let info)):
      patchInfo = info
      patchInfoQuestion = nil
      adopt(Registry.sensorLayouts.compactMap { $0.named(by: info, uid: uid) }.first)
      plan.remove(0..<blockCount)
      planUnread()
    case (.patchInfo, .error): patchInfoQuestion = nil
    case (.readBlocks(let run), .error): plan.refuse(runOf: Int(run.count))
    case (.readWideBlocks(let run, _), .error): plan.refuse(runOf: Int(run.count))
    case (.readBlock(let block), .error(let error)): try refuse(Int(block), error)
    case (.readWideBlock(let block, _), .error(let error)): try refuse(Int(block), error)
    case (_, .error(let error)): throw .tag(error, block: request.firstBlock)
    case (_, .blocks(let data)):
      guard let blocks = request.blocks, data.count == blocks.count * MemoryMap.blockSize else {
        throw .malformedResponse(to: request, length: 0)
      }
      keep(data, of: blocks)
    case (_, .inventory), (_, .systemInformation), (_, .patchInfo):
      throw .malformedResponse(to: request, length: 0)
    }
    mend()
  }

  /// Goes on after the sensor was lost for this long: it is asked for its UID, and if it is the same for what is still
  /// open.
  ///
  /// After a minute the sensor has written its memory anew, so a longer absence starts afresh, as does a sensor of
  /// which no UID is known. A custom command that was sent when the sensor was lost is sent once more only, unless it
  /// has been answered before: some reader may lose a command that it cannot carry.
  public mutating func resume(after absence: Duration) {
    guard uid != nil, absence < .seconds(60) else {
      self = Scan()
      return
    }
    switch next() {
    case .patchInfo:
      if wasLostAtPatchInfo { patchInfoQuestion = nil }
      wasLostAtPatchInfo = true
    case .readWideBlock(let block, _): loseWideBlock(Int(block))
    case .readWideBlocks(let run, _): loseWideBlock(Int(run.first))
    case .inventory, .systemInformation, .readBlock, .readBlocks, nil: break
    }
    isIdentified = false
    repair = .due
  }

  /// What has been read so far, as the sensor showed it. Blocks that were not read are zero and named as missing; a
  /// withheld UID is none.
  public func image(readAt: Instant?) -> MemoryImage {
    let count = blockCount
    let shown = bytes.prefix(count * MemoryMap.blockSize)
    let unread = [UInt8](repeating: 0, count: count * MemoryMap.blockSize - shown.count)
    return MemoryImage(
      bytes: shown + unread, missingBlocks: (0..<count).filter { !read.contains($0) },
      uid: uid.flatMap { $0.isWithheld ? nil : $0 }, patchInfo: patchInfo, readAt: readAt)
  }

  // MARK: What was read

  private mutating func keep(_ data: [UInt8], of blocks: Range<Int>) {
    let place = blocks.lowerBound * MemoryMap.blockSize..<blocks.upperBound * MemoryMap.blockSize
    if bytes.count < place.upperBound { bytes += [UInt8](repeating: 0, count: place.upperBound - bytes.count) }
    bytes.replaceSubrange(place, with: data)
    read.formUnion(blocks)
    plan.remove(blocks)
    if blocks.upperBound > layout.geometry.blockCount { isBodyStale = true }
  }

  /// Does without a block.
  private mutating func refuse(_ block: Int, _ error: TagError) throws(TransportError) {
    if read.isEmpty && plan.requests.count == 1 { throw .tag(error, block: block) }
    if block >= layout.geometry.blockCount { return endHistory(at: block) }
    keep([UInt8](repeating: 0, count: MemoryMap.blockSize), of: block..<block + 1)
    read.remove(block)
    refused.insert(block)
  }

  private mutating func endHistory(at block: Int) {
    historyEnd = block
    plan.remove(block ..< .max)
  }

  /// The sensor was lost when it was asked for this block in a way that not every reader can carry.
  private mutating func loseWideBlock(_ block: Int) {
    if wasLostAtWideBlock && !read.contains(where: { $0 > Int(UInt8.max) }) { endHistory(at: block) }
    wasLostAtWideBlock = true
  }

  // MARK: What is read next

  /// Plans to read what was not read yet.
  private mutating func planUnread() {
    let shown = 0..<(historyEnd ?? .max)
    sections = layout.sections(of: image(readAt: nil)).map { $0.clamped(to: shown) }.filter { !$0.isEmpty }
    for section in sections {
      plan.add(BlockRuns.runs(of: section.filter { !read.contains($0) && !refused.contains($0) }))
    }
  }

  private mutating func adopt(_ known: (any SensorLayout)?) {
    if let known { (layout, isLayoutKnown) = (known, true) }
  }

  /// Once all has been read, plans what follows from it and what is to be read again.
  private mutating func mend() {
    while isIdentified && plan.next == nil {
      if !isLayoutKnown {
        let memory = CheckedImage(image(readAt: nil))
        adopt(Registry.sensorLayouts.compactMap { $0.proven(by: memory) }.first)
      }
      planUnread()
      if plan.next != nil { return }
      let body = layout.geometry.body
      if isBodyStale {
        isBodyStale = false
        repair = .due
        plan.add([body.blocks])
        return
      }
      let image = image(readAt: nil)
      let damaged = layout.damagedRegions(of: image)
      let isBodyDamaged = damaged.contains(body)
      let mark = layout.bodyTimestamp(in: image)
      switch repair {
      case .due:
        if isBodyDamaged, let mark {
          repair = .checkingMinute(mark)
          plan.add(damaged.flatMap { $0 == body ? BodyTimestamp.blocks : [$0.blocks] })
        } else {
          repair = .done
          plan.add(damaged.map(\.blocks))
        }
      case .checkingMinute(let before):
        let written = mark?.blocksWritten(since: before)
        repair = isBodyDamaged && written != nil ? .catchingUp : .done
        if isBodyDamaged { plan.add(written ?? [body.blocks]) }
      case .catchingUp:
        repair = .done
        if isBodyDamaged { plan.add([body.blocks]) }
      case .done: return
      }
    }
  }
}
