// SPDX-License-Identifier: Apache-2.0

/// A simulated sensor on a reader, which answers every request as a real one would.
///
/// The memory is requested again for each exchange, so that the minute may change during a read, and another sensor may
/// replace the first. Nothing here takes time: a wait ends at once or fails, except for the removal of a sensor.
package actor SimulatedTag: TagReader {
  package typealias Fault = ExchangeFault

  package nonisolated let description: ReaderDescription
  private let image: @Sendable (_ exchange: Int) -> MemoryImage
  private let faults: [Int: Fault]
  private var presence = Presence.there
  package private(set) var exchangeCount = 0

  private enum Presence {
    case there
    /// Absent until the next wait for a tag.
    case away
    case gone
  }

  /// The memory at exchange 1, 2, … is the result of `image`, which is called once for each; `faults` have the same
  /// numbers. Blocks that the image lacks are refused, as is a missing patch info or UID.
  package init(
    address: String = "sim", faults: [Int: Fault] = [:], image: @escaping @Sendable (_ exchange: Int) -> MemoryImage
  ) {
    description = ReaderDescription(address: address, name: "simulated sensor", dialect: "simulated")
    self.image = image
    self.faults = faults
  }

  /// A sensor whose minute never changes.
  package init(
    memory: [UInt8], uid: SensorUID, patchInfo: PatchInfo?, address: String = "sim", faults: [Int: Fault] = [:]
  ) {
    let image = MemoryImage(bytes: memory, uid: uid, patchInfo: patchInfo)
    self.init(address: address, faults: faults) { _ in image }
  }

  package func waitForTag(within limit: Duration) throws(TransportError) {
    if Task.isCancelled { throw .cancelled }
    guard presence != .gone else { throw .noTag }
    presence = .there
  }

  package func exchange(_ request: ISO15693.Request) throws(TransportError) -> [UInt8] {
    if Task.isCancelled { throw .cancelled }
    exchangeCount += 1
    let fault = faults[exchangeCount]
    if case .removal(let returns) = fault, presence == .there { presence = returns ? .away : .gone }
    guard presence == .there else { throw .tagLost(block: request.firstBlock) }
    guard let answer = Self.answer(of: image(exchangeCount), to: request),
      let received = fault.map({ $0.corrupted(answer) }) ?? answer
    else { throw .tagSilent(block: request.firstBlock) }
    return received
  }

  package func waitForRemoval() async throws(TransportError) {
    guard presence == .there else { return }
    // It stays until the task is cancelled, which ends a sleep at once.
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(86_400)) }
    throw .cancelled
  }

  package func close() { presence = .gone }

  // MARK: The chip's answers

  /// The chip's answer; nil for no answer, as to a custom command of another maker (read: PN5180 issue 2).
  package static func answer(of image: MemoryImage, to request: ISO15693.Request) -> [UInt8]? {
    if let maker = request.manufacturer, let uid = image.uid, uid.manufacturer != maker.rawValue { return nil }
    switch request {
    case .inventory:
      return image.uid.map { [0x00, 0x00] + $0.bytes.reversed() } ?? TagError.notSupported.answer
    case .systemInformation:
      guard let uid = image.uid else { return TagError.notSupported.answer }
      // Only bit 2: a sensor's chip reports the size of its memory and no other system information
      // (NFCTransport/ReadingOverTheAir, "System information").
      let lastBlock = UInt8(clamping: image.bytes.count / ISO15693.Response.blockSize - 1)
      return [0x00, 0x04] + uid.bytes.reversed() + [lastBlock, UInt8(ISO15693.Response.blockSize - 1)]
    case .readBlock, .readBlocks, .readWideBlock, .readWideBlocks: return request.blocks.map { blocks($0, of: image) }
    case .patchInfo: return image.patchInfo.map { [0x00] + $0.answer } ?? TagError.notSupported.answer
    }
  }

  private static func blocks(_ blocks: Range<Int>, of image: MemoryImage) -> [UInt8] {
    let size = ISO15693.Response.blockSize
    let end = blocks.upperBound * size
    guard end <= image.bytes.count, !image.missingBlocks.contains(where: blocks.contains) else {
      return TagError.blockNotAvailable.answer
    }
    return [0x00] + image.bytes[blocks.lowerBound * size..<end]
  }
}
