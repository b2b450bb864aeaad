// SPDX-License-Identifier: Apache-2.0
import CGMModel
import NFCTransport
import Synchronization

@testable import NFCTransport

/// A reader that speaks one dialect of PC/SC, or hands over frames with their checksums as libnfc does, and whose answers
/// go through a script.
final class FuzzedReader: TagReader {
  private let script: AnswerScript
  private let tag: SimulatedTag
  /// nil for libnfc's frames.
  private let dialect: UnderstoodDialect?
  private let conversation = Mutex<CardConversation?>(nil)
  private let hint = Mutex<String?>(nil)

  init(_ script: AnswerScript, tag: SimulatedTag, dialect: UnderstoodDialect?) {
    self.script = script
    self.tag = tag
    self.dialect = dialect
  }

  var description: ReaderDescription {
    ReaderDescription(address: "fuzz", name: "fuzz", dialect: dialect?.dialect.name ?? "pn532killer")
  }

  func waitForTag(within limit: Duration) async throws(TransportError) {
    guard script.isThere() else { throw .noTag }
    guard let dialect else { return }
    // The dialect that worked before is remembered.
    if let name = await conversation.withLock(\.self)?.dialectName { hint.withLock { $0 = name } }
    await close()
    let card = FuzzedCard(script, tag: tag, dialect: dialect)
    conversation.withLock { $0 = CardConversation(channel: card, hint: hint.withLock(\.self)) }
  }

  func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
    if let conversation = conversation.withLock(\.self) { return try await conversation.exchange(request) }
    // As `LibNFCDevice` does: what does not have its checksum is no answer.
    let answer = try script.spoilt(FrameChecksum.sealed(try await tag.exchange(request)))
    guard let frame = FrameChecksum.opened(answer) else { throw .tagSilent(block: request.firstBlock) }
    return frame
  }

  func waitForRemoval() async throws(TransportError) {}

  func close() async {
    let ended = conversation.withLock { conversation in
      defer { conversation = nil }
      return conversation
    }
    await ended?.end()
  }
}

/// The card on it. A reader knows the commands of its own dialect only.
private final class FuzzedCard: CardChannel {
  let readerName = "fuzz"
  private let script: AnswerScript
  private let tag: SimulatedTag
  private let dialect: any ReaderDialect
  private let requests: [[UInt8]: ISO15693.Request]

  init(_ script: AnswerScript, tag: SimulatedTag, dialect: UnderstoodDialect) {
    self.script = script
    self.tag = tag
    self.dialect = dialect.dialect
    requests = dialect.requests
  }

  func transmit(_ command: [UInt8]) async throws(TransportError) -> [UInt8] {
    let answer = try script.spoilt(try await self.answer(to: command))
    // As `PCSCChannel` does.
    if answer.count < 2 { throw .tagLost(block: nil) }
    return answer
  }

  private static let done: [UInt8] = [0x90, 0x00]
  private static let success: [UInt8] = [0xC0, 0x03, 0x00, 0x90, 0x00]

  private func answer(to command: [UInt8]) async throws(TransportError) -> [UInt8] {
    if command == CardUID.command {
      let frame = try await tag.exchange(.inventory)
      return Array(frame.dropFirst(2)) + Self.done
    }
    if dialect.opening.contains(command) || dialect.closing.contains(command) { return Self.success + Self.done }
    guard let request = requests[command] else { return [0x6D, 0x00] }
    let frame = try await tag.exchange(request)
    switch dialect {
    case is TransparentSession:
      return Self.success + [0x92, 0x01, 0x00, 0x96, 0x02, 0x00, 0x00, 0x97, UInt8(frame.count)] + frame + Self.done
    case is ReadBinary: return frame.first == 0 ? Array(frame.dropFirst()) + Self.done : [0x6A, 0x82]
    default: return frame + Self.done
    }
  }
}

/// A dialect as a reader understands it: its commands, and which requests of a scan they carry.
struct UnderstoodDialect: Sendable {
  let dialect: any ReaderDialect
  let requests: [[UInt8]: ISO15693.Request]

  init(_ dialect: any ReaderDialect) {
    self.dialect = dialect
    requests = Dictionary(
      Self.requests.compactMap { request in dialect.command(for: request).map { ($0, request) } }
    ) { first, _ in first }
  }

  private static let requests: [ISO15693.Request] = {
    var requests: [ISO15693.Request] = [.inventory, .systemInformation]
    for manufacturer in ISO15693.Manufacturer.allCases {
      requests.append(.patchInfo(manufacturer))
      for block in 256..<1_030 {
        requests.append(.readWideBlock(UInt16(block), manufacturer))
        for count in 2...3 {
          if let run = ISO15693.WideBlockRun(first: block, count: count) {
            requests.append(.readWideBlocks(run, manufacturer))
          }
        }
      }
    }
    for block in 0..<256 {
      requests.append(.readBlock(UInt8(block)))
      for count in 2...3 {
        if let run = ISO15693.BlockRun(first: block, count: count) { requests.append(.readBlocks(run)) }
      }
    }
    return requests
  }()
}
