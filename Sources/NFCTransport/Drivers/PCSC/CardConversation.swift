// SPDX-License-Identifier: Apache-2.0

/// Asks the tag on a PC/SC reader in the dialect that it understands (NFCTransport/ReaderDialects, "Finding the
/// dialect").
///
/// The reader supplies the UID (`CardUID`); the tag is asked for it only if that is ambiguous. Any other first request
/// is the probe. The dialect that worked before, the hint, is tried first. If none is left, the request is answered `01
/// 01`, because another may still get through. Only the read of one block proves that the reader has none:
/// `readerLacks15693`. If a failure may have been the tag's, all dialects are tried once more first; with a hint the
/// error is `tagSilent`.
actor CardConversation {
  /// Dialects in the order of probing: those that carry and report more come first.
  static let dialects: [any ReaderDialect] = [
    TransparentSession(), ACSPassThrough(), SpringCardEncapsulate(), SpringCardMemoryControl(), IdentivPassThrough(),
    ReadBinary(length: 0), ReadBinary(length: 8),
  ]

  private let channel: any CardChannel
  private let hint: String?
  /// Dialect whose opening commands the reader has accepted, at least in part.
  private var current: (any ReaderDialect)?
  /// Name of the dialect in which the tag answered; nil until one is found.
  private(set) var dialectName: String?

  init(channel: any CardChannel, hint: String?) {
    self.channel = channel
    self.hint = hint
  }

  /// Returns the tag's answer as `TagReader.exchange` does. Throws errors of the channel and of the table above.
  func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
    do {
      if request == .inventory, let uid = CardUID(try await channel.transmit(CardUID.command))?.sensor {
        return [0x00, 0x00] + uid.bytes.reversed()
      }
      guard dialectName != nil, let current else { return try await probe(request) }
      guard let command = current.command(for: request) else { return TagError.notSupported.answer }
      return try answer(await send(command, carrying: request, in: current), to: request)
    } catch .tagLost(block: nil) {
      throw .tagLost(block: request.firstBlock)
    }
  }

  /// Sends the closing commands; the reader's answers are ignored.
  func end() async {
    guard let closing = current?.closing else { return }
    current = nil
    for command in closing { _ = try? await channel.transmit(command) }
  }

  private func probe(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
    await end()
    let hint = dialectName ?? hint
    let hinted = Self.dialects.filter { $0.name == hint }
    // The dialect that is known to work cannot carry this request; the others need not be tried.
    if !hinted.isEmpty && hinted.allSatisfy({ $0.command(for: request) == nil }) { return TagError.notSupported.answer }
    var mayBeTheTag = false
    for _ in 1...2 {
      for dialect in hinted + Self.dialects.filter({ $0.name != hint }) {
        guard let command = dialect.command(for: request), try await open(dialect) else { continue }
        let outcome = try await send(command, carrying: request, in: dialect)
        switch outcome {
        case .answer, .silence:
          dialectName = dialect.name
          return try answer(outcome, to: request)
        case .fourBytes: return try answer(outcome, to: request)
        case .unknownCommand: break
        case .failure, .malformed: mayBeTheTag = true
        }
        await end()
      }
      guard mayBeTheTag, case .readBlock = request else { break }
    }
    guard case .readBlock(let block) = request else { return TagError.notSupported.answer }
    throw mayBeTheTag && hint != nil ? .tagSilent(block: Int(block)) : .readerLacks15693(name: channel.readerName)
  }

  /// Returns false if the reader rejects this dialect.
  private func open(_ dialect: any ReaderDialect) async throws(TransportError) -> Bool {
    for command in dialect.opening {
      guard let answer = ResponseAPDU(try await channel.transmit(command)), dialect.isOpened(by: answer) else {
        await end()
        return false
      }
      current = dialect
    }
    current = dialect
    return true
  }

  private func send(
    _ command: [UInt8], carrying request: ISO15693.Request, in dialect: any ReaderDialect
  ) async throws(TransportError) -> DialectOutcome {
    let bytes = try await channel.transmit(command)
    return ResponseAPDU(bytes).map { dialect.outcome(of: $0, to: request) } ?? .malformed(length: bytes.count)
  }

  private func answer(
    _ outcome: DialectOutcome, to request: ISO15693.Request
  ) throws(TransportError) -> [UInt8] {
    switch (outcome, request) {
    case (.answer(let frame), _): return frame
    case (.unknownCommand, .readBlocks), (.unknownCommand, .patchInfo), (.unknownCommand, .systemInformation),
      (.unknownCommand, .inventory), (.unknownCommand, .readWideBlock), (.unknownCommand, .readWideBlocks):
      return TagError.notSupported.answer
    case (.failure, .patchInfo), (.failure, .systemInformation): return TagError.unspecified.answer
    case (.failure, .readBlocks), (.failure, .inventory), (.failure, .readBlock), (.failure, .readWideBlock),
      (.failure, .readWideBlocks), (.unknownCommand, .readBlock), (.silence, _):
      throw .tagSilent(block: request.firstBlock)
    case (.malformed(let length), _): throw .malformedResponse(to: request, length: length)
    case (.fourBytes, _): throw .fourByteBlocks(name: channel.readerName)
    }
  }
}

protocol CardChannel: Sendable {
  var readerName: String { get }

  /// Returns data and status word. Throws `tagLost(block: nil)`, also for an answer without one; errors of the reader.
  func transmit(_ command: [UInt8]) async throws(TransportError) -> [UInt8]
}

/// The UID as the reader stores it: nothing is sent on air. Its byte order is not standardized
/// (NFCTransport/ReaderDialects, "UID").
struct CardUID: Hashable, Sendable {
  static let command: [UInt8] = [0xFF, 0xCA, 0x00, 0x00, 0x00]

  /// UID; nil if both byte orders are possible: then only the tag itself can decide (`ISO15693.Request.inventory`).
  let sensor: SensorUID?

  /// nil unless the answer is eight bytes with `E0` at one end; at both, the order with a sensor manufacturer is
  /// chosen.
  init?(_ answer: [UInt8]) {
    guard let answer = ResponseAPDU(answer), answer.status.outcome == nil, answer.data.count == 8 else { return nil }
    let orders = [answer.data[...], answer.data.reversed()[...]].compactMap { SensorUID(onAir: $0) }
    guard let first = orders.first else { return nil }
    let likely = orders.filter { ISO15693.Manufacturer(rawValue: $0.manufacturer) != nil }
    sensor = orders.count == 1 ? first : likely.count == 1 ? likely[0] : nil
  }
}

/// A reader's description of a card (NFCTransport/ReaderDialects, "Answer to reset"). A wrong check byte does not
/// reject a tag: the reader made it up.
struct AnswerToReset: Hashable, Sendable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  enum Verdict: Hashable, Sendable {
    case iso15693
    case otherCard
    /// Not a description of a storage card: the UID decides (`CardUID`).
    case undecided
  }

  var verdict: Verdict {
    let workgroup: [UInt8] = [0xA0, 0x00, 0x00, 0x03, 0x06]
    let places = bytes.indices.dropLast(workgroup.count)
    guard let start = places.first(where: { bytes[$0...].starts(with: workgroup) }) else { return .undecided }
    return (0x09...0x0C).contains(bytes[start + workgroup.count]) ? .iso15693 : .otherCard
  }
}
