// SPDX-License-Identifier: Apache-2.0

/// One scan of a sensor as a value: it gives the next request and takes the response. It uses no reader and no clock.
///
/// It requests the UID, the header, the patch info, then the rest of the memory of that family (`SensorLayout`). The
/// header comes early because every reader can send a block read, and the dialect of a reader is detected with the
/// first request that reaches the tag. If a sensor refuses a run of blocks, later runs are shorter; a single refused
/// block is missing from the image. A Libre Pro's history ends with the first refused block, or with block 255 if the
/// reader cannot send the command for higher ones. If the reader cannot request patch info, a Libre Pro is detected by
/// its checksums.
///
/// A section with a wrong checksum is read again, once per tap, because the sensor may have been writing it. For the
/// body the indices and the age are read again first. If a new minute began, the records written since follow. If the
/// checksum is still wrong, or nothing had changed, the whole body follows. A torn body (a new minute began during the
/// read) is kept, because no data is missing. A Libre Pro's body is read again as a whole, and once more after a long
/// history, because its age would be out of date.
package struct Scan: Sendable {
  private var isIdentified = false
  private var uid: SensorUID?
  private var patchInfo: PatchInfo?
  private var patchInfoMaker: ISO15693.Manufacturer?
  private var wasLostAtPatchInfo = false
  private var wasLostAtWideBlock = false
  private var layout: any SensorLayout = SensorLayouts.usual
  private var isLayoutKnown = false
  private var sections = MemoryMap.regions.map(\.blocks)
  private var plan: ReadPlan
  private var repair = Repair.due
  /// The bytes of whole blocks, at least those of a Libre 1.
  private var bytes = [UInt8](repeating: 0, count: MemoryMap.byteCount)
  private var read: Set<Int> = []
  private var refused: Set<Int> = []
  /// The memory with its checksums, and as they cover it, nil without its key; computed when needed after a change.
  private var checked: (memory: CheckedMemory, plain: CheckedMemory?)?
  /// The first block of the history that was refused; nil if none was. Blocks above 255 need a manufacturer's command.
  private var historyEnd: Int?
  private var isBodyStale = false

  private enum Repair {
    case due
    /// Header and footer are read again, and the blocks with the minute of the body, which was this before.
    case checkingMinute(BodyTimestamp)
    case catchingUp
    case done
  }

  package init() { self.init(uid: nil, madeBy: nil) }

  private init(uid: SensorUID?, madeBy manufacturer: ISO15693.Manufacturer?) {
    self.uid = uid
    patchInfoMaker = manufacturer
    historyEnd = manufacturer == nil ? Int(UInt8.max) + 1 : nil
    plan = ReadPlan(sections: sections, manufacturer: manufacturer)
  }

  /// The number of blocks in the memory known so far; 43 at first.
  package var blockCount: Int { max(sections.last?.upperBound ?? 0, (read.max() ?? -1) + 1) }

  package var blocksRead: Int { read.count }

  /// The next request, unchanged until its response is fed; nil if the scan is complete.
  package func next() -> ISO15693.Request? {
    guard isIdentified else { return .inventory }
    if let patchInfoMaker, (plan.sections.first?.lowerBound ?? .max) >= MemoryMap.header.blocks.upperBound {
      return .patchInfo(patchInfoMaker)
    }
    return plan.next
  }

  /// Processes the response to `next()`; an unexpected one after the end is ignored. A sensor with another UID than
  /// before `resume` starts a new scan. If the reader cannot request the UID, the sensor is read without UID and patch
  /// info, because the patch info command depends on the manufacturer.
  /// - Throws: `otherTag` for a tag of another manufacturer, `tag` if it refuses its UID or all blocks, and
  ///   `malformedResponse` for a response to another request. After an error `next()` is unchanged.
  package mutating func feed(_ response: ISO15693.Response) throws(TransportError) {
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
      checked = nil
      patchInfoMaker = nil
      adopt(SensorLayouts.all.compactMap { $0.named(by: info, uid: uid) }.first)
      plan.remove(0..<blockCount)
      planUnread()
    case (.patchInfo, .error): patchInfoMaker = nil
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
    planNext()
  }

  /// Continues after the sensor was lost for this long: requests its UID, and if it is the same, the remaining blocks.
  /// After a minute the sensor has changed its memory, so a longer absence starts a new scan, as does a sensor without
  /// a known UID. A custom command that was sent when the sensor was lost is sent only once more, unless it was
  /// answered before: the loss may come from a reader that cannot send this command.
  package mutating func resume(after absence: Duration) {
    guard uid != nil, absence < .seconds(60) else {
      self = Scan()
      return
    }
    switch next() {
    case .patchInfo:
      if wasLostAtPatchInfo { patchInfoMaker = nil }
      wasLostAtPatchInfo = true
    case .readWideBlock(let block, _): loseWideBlock(Int(block))
    case .readWideBlocks(let run, _): loseWideBlock(Int(run.first))
    case .inventory, .systemInformation, .readBlock, .readBlocks, nil: break
    }
    isIdentified = false
    repair = .due
  }

  func memory(readAt: Instant?) -> CheckedMemory {
    let memory = checked?.memory ?? CheckedMemory(image(readAt: nil))
    return memory.with(uid: memory.image.uid, patchInfo: memory.image.patchInfo, readAt: readAt)
  }

  func layout(of memory: CheckedMemory) -> any SensorLayout { SensorLayouts.layout(of: memory, otherwise: layout) }

  /// The memory read so far. Blocks that were not read are zero and listed as missing; a withheld UID is left out.
  package func image(readAt: Instant?) -> MemoryImage {
    let count = blockCount
    let shown = bytes.prefix(count * MemoryMap.blockSize)
    let unread = [UInt8](repeating: 0, count: count * MemoryMap.blockSize - shown.count)
    return MemoryImage(
      bytes: shown + unread, missingBlocks: (0..<count).filter { !read.contains($0) },
      uid: uid.flatMap { $0.isWithheld ? nil : $0 }, patchInfo: patchInfo, readAt: readAt)
  }

  // MARK: Received blocks

  private mutating func keep(_ data: [UInt8], of blocks: Range<Int>) {
    let place = blocks.lowerBound * MemoryMap.blockSize..<blocks.upperBound * MemoryMap.blockSize
    if bytes.count < place.upperBound { bytes += [UInt8](repeating: 0, count: place.upperBound - bytes.count) }
    bytes.replaceSubrange(place, with: data)
    read.formUnion(blocks)
    checked = nil
    plan.remove(blocks)
    if blocks.upperBound > layout.geometry.blockCount { isBodyStale = true }
  }

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

  /// Handles the loss of the sensor during a command for this block that not every reader can send.
  private mutating func loseWideBlock(_ block: Int) {
    if wasLostAtWideBlock && !read.contains(where: { $0 > Int(UInt8.max) }) { endHistory(at: block) }
    wasLostAtWideBlock = true
  }

  // MARK: Planning

  private mutating func plainMemory() -> CheckedMemory? {
    if let checked { return checked.plain }
    let memory = CheckedMemory(image(readAt: nil))
    let plain = layout.plain(memory)
    checked = (memory, plain)
    return plain
  }

  /// Plans the blocks that were not read yet: each region, and the history as soon as the body shows how long it is.
  private mutating func planUnread() {
    let shown = 0..<(historyEnd ?? .max)
    let blockCount = blockCount
    sections = layout.geometry.regions.map(\.blocks)
    if layout.geometry.body.blocks.allSatisfy(read.contains), let memory = plainMemory() {
      sections.append(layout.historyBlocks(in: memory))
    }
    sections = sections.map { $0.clamped(to: shown) }.filter { !$0.isEmpty }
    if self.blockCount != blockCount { checked = nil }
    for section in sections {
      plan.add(BlockRuns.runs(of: section.filter { !read.contains($0) && !refused.contains($0) }))
    }
  }

  private mutating func adopt(_ known: (any SensorLayout)?) {
    if let known { (layout, isLayoutKnown, checked) = (known, true, nil) }
  }

  /// Once all planned blocks are read, plans further sections, and damaged ones again.
  private mutating func planNext() {
    while isIdentified && plan.next == nil {
      if !isLayoutKnown, let memory = plainMemory() {
        adopt(SensorLayouts.all.compactMap { $0.proven(by: memory) }.first)
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
      let memory = plainMemory()
      let damaged = memory.map { layout.damagedRegions(of: $0) } ?? []
      let isBodyDamaged = damaged.contains(body)
      let timestamp = memory.flatMap { layout.bodyTimestamp(in: $0) }
      switch repair {
      case .due:
        if isBodyDamaged, let timestamp {
          repair = .checkingMinute(timestamp)
          plan.add(damaged.flatMap { $0 == body ? BodyTimestamp.blocks : [$0.blocks] })
        } else {
          repair = .done
          plan.add(damaged.map(\.blocks))
        }
      case .checkingMinute(let before):
        let written = timestamp?.blocksWritten(since: before)
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
