// SPDX-License-Identifier: Apache-2.0
import CGMModel
import NFCTransport
import TestSupport

/// A PN532 or a PN532Killer at the end of a serial line (protocol: PN532 user manual, high speed UART; what a
/// PN532Killer adds: NFCTransport/ReaderDialects, "PN532Killer"). It shares no code with what is tested.
actor PN532Emulator {
  enum Chip {
    /// Has ISO 15693.
    case killer
    /// NXP's own, which hears no such tag and does not know the question `AA`.
    case genuine
  }

  /// A fault of one exchange with a tag.
  enum Fault: Hashable, Sendable {
    /// The tag does not answer: a radio timeout.
    case silence
    /// One bit of its answer is wrong.
    case wrongChecksum
    /// Two bytes of an answer.
    case short
    /// More bytes than a frame can have.
    case overlong
    /// Bytes that are not a valid frame, after the acknowledgement.
    case garbage
    /// The right answer, but only when the host has given up and asks the next question.
    case late
    /// The device acknowledges the frame and says no more about it.
    case mute
    /// The device answers neither this nor anything else.
    case hang
    case unplugged
  }

  nonisolated let port: PseudoTerminal
  private let chip: Chip
  private var tag: (any TagReader)?
  private var faults: [Int: Fault] = [:]
  private var registers: [UInt16: UInt8] = [0x6302: 0x80, 0x6303: 0x80]
  private var hangs = false
  private var input: [UInt8] = []
  /// An answer that comes too late.
  private var lateAnswer: [UInt8] = []
  private var watchers: [(count: Int, change: Change)] = []

  /// Every frame that the host sent, whole.
  private(set) var frames: [[UInt8]] = []
  /// The number of frames that were sent to a tag.
  private(set) var exchangeCount = 0
  private(set) var fieldIsOn = false

  enum Change: Sendable {
    case put(any TagReader)
    case take
  }

  init(_ chip: Chip, tag: (any TagReader)? = nil) throws {
    port = try PseudoTerminal()
    self.chip = chip
    self.tag = tag
    // Ends with the port.
    Task(executorPreference: EmulatorThread(port.path)) { [weak self, received = port.received] in
      for await bytes in received { await self?.take(bytes) }
    }
  }

  /// The fault of the exchange with this number, counted from 1 and from now.
  func spoil(_ number: Int, with fault: Fault) { faults[exchangeCount + number] = fault }

  /// Puts a tag on the device, or takes it away, when so many exchanges are over, counted from now.
  func after(_ number: Int, _ change: Change) { watchers.append((exchangeCount + number, change)) }

  // MARK: The line

  private func take(_ bytes: [UInt8]) async {
    input += bytes
    while let frame = nextFrame() {
      frames.append(frame)
      if hangs { continue }
      port.write(lateAnswer + [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00])
      lateAnswer = []
      if let answer = await answer(to: Array(frame[5...].dropLast(2))) { port.write(answer) }
    }
  }

  /// Passes over the bytes that wake a PN532 up, and over acknowledgements.
  private func nextFrame() -> [UInt8]? {
    while let start = input.indices.first(where: { input[$0...].starts(with: [0x00, 0x00, 0xFF]) }) {
      guard input.count >= start + 6 else { return nil }
      let length = Int(input[start + 3])
      if length == 0 {
        input.removeFirst(start + 6)
        continue
      }
      guard input.count >= start + length + 7 else { return nil }
      defer { input.removeFirst(start + length + 7) }
      return Array(input[start..<start + length + 7])
    }
    return nil
  }

  private static func frame(_ content: [UInt8]) -> [UInt8] {
    let length = UInt8(content.count)
    return [0x00, 0x00, 0xFF, length, 0 &- length] + content + [0 &- content.reduce(0, &+), 0x00]
  }

  private static func longFrame(_ content: [UInt8]) -> [UInt8] {
    let length = [UInt8(content.count >> 8), UInt8(content.count & 0xFF)]
    return [0x00, 0x00, 0xFF, 0xFF, 0xFF] + length + [0 &- length[0] &- length[1]] + content
      + [0 &- content.reduce(0, &+), 0x00]
  }

  private static let syntaxError: [UInt8] = [0x00, 0x00, 0xFF, 0x01, 0xFF, 0x7F, 0x81, 0x00]

  // MARK: The commands

  /// `command` begins with D4.
  private func answer(to command: [UInt8]) async -> [UInt8]? {
    let arguments = Array(command.dropFirst(2))
    func answer(_ content: [UInt8]) -> [UInt8] { Self.frame([0xD5, command[1] + 1] + content) }
    switch command[1] {
    // Diagnose, which echoes; GetFirmwareVersion; SAMConfiguration, SetParameters; PowerDown, InRelease.
    case 0x00: return answer(arguments)
    case 0x02: return answer([0x32, 0x01, 0x06, 0x07])
    case 0x14, 0x12: return answer([])
    case 0x16, 0x52: return answer([0x00])
    // ReadRegister, WriteRegister.
    case 0x06: return answer(pairs(arguments).map { registers[$0, default: 0] })
    case 0x08:
      for start in stride(from: 0, to: arguments.count - 2, by: 3) {
        registers[UInt16(arguments[start]) << 8 | UInt16(arguments[start + 1])] = arguments[start + 2]
      }
      return answer([])
    // RFConfiguration.
    case 0x32:
      if arguments.first == 0x01 { fieldIsOn = arguments[1] & 1 == 1 }
      return answer([])
    case 0x42: return await communicate(arguments)
    case 0xAA where chip == .killer: return answer([0x00])
    default: return Self.syntaxError
    }
  }

  private func pairs(_ bytes: [UInt8]) -> [UInt16] {
    stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
  }

  /// InCommunicateThru.
  private func communicate(_ bytes: [UInt8]) async -> [UInt8]? {
    defer {
      for watcher in watchers where watcher.count == exchangeCount {
        switch watcher.change {
        case .put(let tag): self.tag = tag
        case .take: tag = nil
        }
      }
    }
    exchangeCount += 1
    let right = await tagAnswer(bytes)
    let timeout = Self.frame([0xD5, 0x43, 0x01])
    switch faults[exchangeCount] {
    case nil: return right.map { Self.frame([0xD5, 0x43, 0x00] + $0) } ?? timeout
    case .silence: return timeout
    case .wrongChecksum: return right.map { Self.frame([0xD5, 0x43, 0x00] + $0.dropLast() + [$0[$0.count - 1] ^ 1]) }
    case .short: return Self.frame([0xD5, 0x43, 0x00, 0x00, 0x78])
    case .overlong: return Self.longFrame([0xD5, 0x43, 0x00] + [UInt8](repeating: 0xA5, count: 600))
    case .garbage: return (0..<40).map { $0 &* 37 }
    case .late:
      lateAnswer = right.map { Self.frame([0xD5, 0x43, 0x00] + $0) } ?? timeout
      return nil
    case .mute: return nil
    case .hang:
      hangs = true
      return nil
    case .unplugged:
      port.unplug()
      return nil
    }
  }

  // MARK: The tag

  /// nil if no tag answers: it is absent, the field is off, or the frame is not for it.
  private func tagAnswer(_ bytes: [UInt8]) async -> [UInt8]? {
    guard chip == .killer, fieldIsOn, let tag, bytes.starts(with: [0x80, 0x00]), bytes.count > 4 else { return nil }
    // As long as the device makes checksums itself, another one is too many.
    guard registers[0x6302] == 0, registers[0x6303] == 0 else { return nil }
    return await AirTag(tag).answer(to: Array(bytes[2...]))
  }
}
