// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import NFCTransport

/// A sensor made of memory, on a reader that never tires: it answers every request as a real one would.
///
/// Faults can be scripted by the number of the exchange, from 1, so that a test can spoil each in turn.
public actor SimulatedTag: TagReader {
  public nonisolated let description: ReaderDescription
  private let memory: [UInt8]
  private let uid: SensorUID
  private let patchInfo: PatchInfo?
  private let faults: [Int: Fault]
  /// How many requests it was sent, answered or not.
  public private(set) var exchangeCount = 0

  /// What goes wrong with one exchange; the next is sound again.
  public enum Fault: Hashable, Sendable {
    /// The tag does not answer.
    case silence
    case refusal(TagError)
    /// All bits of one byte of the answer arrive inverted, byte 0 being the response flags; nothing if it is not there.
    case inversion(byte: Int)
  }

  /// `memory` is shown in whole blocks from offset 0; without patch info the tag does not know that command.
  public init(
    memory: [UInt8], uid: SensorUID, patchInfo: PatchInfo?, address: String = "sim", faults: [Int: Fault] = [:]
  ) {
    description = ReaderDescription(address: address, name: "simulated sensor", dialect: "simulated")
    self.memory = memory
    self.uid = uid
    self.patchInfo = patchInfo
    self.faults = faults
  }

  public func exchange(_ request: ISO15693.Request) throws(TransportError) -> [UInt8] {
    exchangeCount += 1
    switch faults[exchangeCount] {
    case .silence: throw .tagLost(block: request.firstBlock)
    case .refusal(let error): return Self.refusal(error)
    case .inversion(let byte):
      var frame = try answer(to: request)
      if frame.indices.contains(byte) { frame[byte] = ~frame[byte] }
      return frame
    case nil: return try answer(to: request)
    }
  }

  private func answer(to request: ISO15693.Request) throws(TransportError) -> [UInt8] {
    switch request {
    case .inventory: return [0x00, 0x00] + uid.bytes.reversed()
    case .systemInformation:
      // Bit 2 alone: of all it could tell, a sensor's chip tells the size of its memory (TRANSPORT 4).
      let lastBlock = UInt8(clamping: memory.count / ISO15693.Response.blockSize - 1)
      return [0x00, 0x04] + uid.bytes.reversed() + [lastBlock, UInt8(ISO15693.Response.blockSize - 1)]
    case .readBlock(let block): return blocks(from: Int(block), count: 1)
    case .readBlocks(let run): return blocks(from: Int(run.first), count: Int(run.count))
    case .patchInfo(let manufacturer):
      // A custom command with another maker's code is not for this chip, which then keeps silent (read: PN5180 issue 2).
      guard manufacturer.rawValue == uid.manufacturer else { throw .tagLost(block: nil) }
      return patchInfo.map { [0x00] + $0.bytes } ?? Self.refusal(.notSupported)
    }
  }

  private func blocks(from first: Int, count: Int) -> [UInt8] {
    let start = first * ISO15693.Response.blockSize
    let end = start + count * ISO15693.Response.blockSize
    return end <= memory.count ? [0x00] + memory[start..<end] : Self.refusal(.blockNotAvailable)
  }

  private static func refusal(_ error: TagError) -> [UInt8] { [0x01, error.code] }
}
