// SPDX-License-Identifier: Apache-2.0
package import NFCTransport

/// What lies on a `VirtualReader`: a tag, and the reader's way to carry ISO 15693 to it, played from
/// NFCTransport/ReaderDialects.
///
/// All bytes here are written out by hand; none comes from the code that is tested.
package actor VirtualCard {
  /// The ways in which readers carry ISO 15693, by the names that `libre` gives them. Each knows only its own commands.
  package enum Dialect: String, CaseIterable, Sendable {
    case transparentSession = "transparent-session"
    case acsPassThrough = "acs-pass-through"
    case springCard = "springcard"
    case identiv = "identiv"
    case readBinary = "read-binary"
  }

  /// The frames that were sent to the tag.
  package enum Carried: Hashable, Sendable {
    case inventory, systemInformation, block, blocks, patchInfo
    /// No command that a reader may be given; the tag never saw it.
    case forbidden
  }

  /// A fault that replaces one exchange with the tag.
  package enum Fault: Error, Hashable, Sendable {
    /// The tag is taken away.
    case removal
    /// The reader never answers again.
    case hang
  }

  package enum Reaction: Sendable {
    case answer([UInt8])
    case silence
    case departure
  }

  /// A tag of Texas Instruments, as readers announce it (NFCTransport/ReaderDialects, "Answer to reset").
  package static let iso15693: [UInt8] = [
    0x3B, 0x8F, 0x80, 0x01, 0x80, 0x4F, 0x0C, 0xA0, 0x00, 0x00, 0x03, 0x06, 0x0B, 0x00, 0x12, 0x00, 0x00, 0x00, 0x00,
    0x71,
  ]
  /// A pass: MIFARE Classic, ISO 14443 A part 3.
  package static let pass: [UInt8] = [
    0x3B, 0x8F, 0x80, 0x01, 0x80, 0x4F, 0x0C, 0xA0, 0x00, 0x00, 0x03, 0x06, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00,
    0x6A,
  ]
  /// A card that says nothing of its kind.
  package static let reticent: [UInt8] = [0x3B, 0x80, 0x80, 0x01, 0x01]

  package nonisolated let atr: [UInt8]
  private let dialect: Dialect?
  private let tag: (any TagReader)?
  private let uid: [UInt8]
  private let faults: [Int: Fault]

  /// Everything the reader was sent, in order.
  package private(set) var commands: [[UInt8]] = []
  /// Everything carried to the tag, in order.
  package private(set) var carried: [Carried] = []
  /// The number of times the field was switched on and off.
  package private(set) var powerChanges: [Bool] = []
  private var hasSession = false
  private var speaksISO15693 = false

  /// `uid` as the reader sends it, in its own byte order. Faults are numbered like the exchanges with the tag: from 1.
  package init(
    _ dialect: Dialect?, tag: (any TagReader)?, uid: [UInt8], atr: [UInt8] = VirtualCard.iso15693,
    faults: [Int: Fault] = [:]
  ) {
    self.dialect = dialect
    self.tag = tag
    self.uid = uid
    self.atr = atr
    self.faults = faults
  }

  /// A card that is not a sensor.
  package init(atr: [UInt8], uid: [UInt8] = [0x04, 0xA2, 0x1B, 0x7C]) {
    self.init(nil, tag: nil, uid: uid, atr: atr)
  }

  package func power(_ isOn: Bool) {
    powerChanges.append(isOn)
    hasSession = false
    speaksISO15693 = false
  }

  package func reaction(to command: [UInt8]) async -> Reaction {
    commands.append(command)
    do {
      return .answer(try await answer(to: command))
    } catch .hang {
      return .silence
    } catch {
      return .departure
    }
  }

  // MARK: Commands

  private static let done: [UInt8] = [0x90, 0x00]
  private static let unknownInstruction: [UInt8] = [0x6D, 0x00]
  private static let notSupported: [UInt8] = [0x6A, 0x81]
  private static let wrongLength: [UInt8] = [0x67, 0x00]
  private static let failed: [UInt8] = [0x63, 0x00]

  private func answer(to command: [UInt8]) async throws(Fault) -> [UInt8] {
    guard command.count >= 4, command[0] == 0xFF else { return [0x6E, 0x00] }
    if command == [0xFF, 0xCA, 0x00, 0x00, 0x00] { return uid + Self.done }
    switch (dialect, command[1]) {
    case (.transparentSession, 0xC2): return try await transparent(command)
    case (.acsPassThrough, 0xFB): return try await withoutFlags(command)
    case (.springCard, 0xFE): return try await encapsulated(command)
    case (.identiv, 0xFC): return try await withoutFlags(command)
    case (.identiv, 0xFD): return try await traverse(command)
    case (.readBinary, 0xB0): return try await binary(command)
    case (.transparentSession, _), (.springCard, _): return Self.notSupported
    default: return Self.unknownInstruction
    }
  }

  /// The bytes that a command announces with its length byte; nil if there are others. A last zero is Le.
  private func data(_ command: [UInt8]) -> [UInt8]? {
    guard command.count > 5 else { return nil }
    let end = 5 + Int(command[4])
    let rest = command.dropFirst(end)
    guard command.count >= end, rest.isEmpty || rest.elementsEqual([0x00]) else { return nil }
    return Array(command[5..<end])
  }

  /// `FF C2`: manage 00, exchange 01, switch 02; data objects there and back (NFCTransport/ReaderDialects, "Transparent
  /// session").
  private func transparent(_ command: [UInt8]) async throws(Fault) -> [UInt8] {
    let good: [UInt8] = [0xC0, 0x03, 0x00, 0x90, 0x00]
    guard let data = data(command) else { return Self.wrongLength }
    switch (command[3], data) {
    case (0x00, [0x81, 0x00]):
      hasSession = true
      return good + Self.done
    case (0x00, [0x82, 0x00]):
      hasSession = false
      return good + Self.done
    case (0x02, [0x8F, 0x02, 0x02, 0x03]) where hasSession:
      speaksISO15693 = true
      return good + [0x8F, 0x01, 0x00] + Self.done
    case (0x01, _) where speaksISO15693:
      // A time long enough for the answer, low byte first, then what to send.
      guard data.starts(with: [0x5F, 0x46, 0x04]), data.count > 9, data[7] == 0x95, Int(data[8]) == data.count - 9
      else { return [0xC0, 0x03, 0x01, 0x6A, 0x80] + Self.done }
      let microseconds = data[3..<7].reversed().reduce(0) { $0 << 8 | Int($1) }
      guard microseconds >= 20_000, let answer = try await carry(Array(data[9...])) else {
        return [0xC0, 0x03, 0x02, 0x64, 0x01] + Self.done
      }
      return good + [0x92, 0x01, 0x00, 0x96, 0x02, 0x00, 0x00, 0x97, UInt8(answer.count)] + answer + Self.done
    default: return [0xC0, 0x03, 0x01, 0x6A, 0x81] + Self.done
    }
  }

  /// `FF FB` of ACS and `FF FC` of Identiv: the command without flags, its answer without flags.
  private func withoutFlags(_ command: [UInt8]) async throws(Fault) -> [UInt8] {
    guard let data = data(command) else { return Self.wrongLength }
    // Identiv's carries 20, 23 and 2B only.
    if dialect == .identiv, ![0x20, 0x23, 0x2B].contains(data[0]) { return Self.notSupported }
    guard let answer = try await carry([0x02] + data), answer[0] == 0x00 else { return Self.failed }
    return answer.dropFirst() + Self.done
  }

  /// `FF FE 04` of SpringCard: the frame as it is, the answer as it is.
  private func encapsulated(_ command: [UInt8]) async throws(Fault) -> [UInt8] {
    guard command[2] == 0x04, let data = data(command) else { return Self.notSupported }
    guard let answer = try await carry(data) else { return [0x6F, 0x01] }
    return answer + Self.done
  }

  /// `FF FD` of Identiv: a waiting time, a kind of frame, the frame as it is.
  private func traverse(_ command: [UInt8]) async throws(Fault) -> [UInt8] {
    guard let data = data(command) else { return Self.wrongLength }
    guard let answer = try await carry(data) else { return Self.failed }
    return answer + Self.done
  }

  /// `FF B0`: one block, its number in P1 P2; as many bytes as a block has, or 00.
  private func binary(_ command: [UInt8]) async throws(Fault) -> [UInt8] {
    guard command.count == 5, [0x00, 0x08].contains(command[4]) else { return Self.wrongLength }
    guard command[2] == 0, let answer = try await carry([0x02, 0x20, command[3]]), answer[0] == 0x00 else {
      return [0x6A, 0x82]
    }
    return answer.dropFirst() + Self.done
  }

  // MARK: The tag

  /// The tag's answer to a frame; nil if it stays silent.
  private func carry(_ frame: [UInt8]) async throws(Fault) -> [UInt8]? {
    let (kind, request) = Self.request(frame)
    carried.append(kind)
    if let fault = faults[carried.count] { throw fault }
    guard let tag, let request else { return nil }
    do throws(TransportError) {
      return try await tag.exchange(request)
    } catch {
      if case .tagLost = error { throw .removal }
      return nil
    }
  }

  private static func request(_ frame: [UInt8]) -> (Carried, ISO15693.Request?) {
    switch (frame.count, frame.prefix(2)) {
    case (3, [0x26, 0x01]) where frame[2] == 0: (.inventory, .inventory)
    case (2, [0x02, 0x2B]): (.systemInformation, .systemInformation)
    case (3, [0x02, 0x20]): (.block, .readBlock(frame[2]))
    case (4, [0x02, 0x23]):
      (.blocks, ISO15693.BlockRun(first: Int(frame[2]), count: Int(frame[3]) + 1).map(ISO15693.Request.readBlocks))
    case (3, [0x02, 0xA1]): (.patchInfo, ISO15693.Manufacturer(rawValue: frame[2]).map(ISO15693.Request.patchInfo))
    default: (.forbidden, nil)
    }
  }
}
