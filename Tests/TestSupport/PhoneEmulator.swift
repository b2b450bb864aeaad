// SPDX-License-Identifier: Apache-2.0
import CGMModel
package import NFCTransport
import Synchronization

/// A phone with NFCGate's reader, which connects to libre as the app does through adb. It shares no code with what is
/// tested: messages are written out and taken apart byte by byte.
package final class PhoneEmulator: Sendable {
  /// An event at a request, counted from 1.
  package enum Act: Sendable {
    /// The tag is lost, without a word, and found again at the next request or wait.
    case loss
    /// The tag is taken away.
    case removal
    /// The answer comes after that to the next request, or before it if that is delayed too.
    case delay
    /// Another tag answers, to an inventory.
    case stranger
    /// The app is closed.
    case farewell
  }

  package struct Habits: Sendable {
    package var acts: [Int: Act] = [:]
    /// Frames that are not addressed get no answer.
    package var answersAddressedOnly = false
    /// Each byte is sent by itself.
    package var sendsBytes = false
    package var session: UInt8 = 1
    /// What the tag answers to everything; nil for a tag that is there.
    package var foreignAnswer: [UInt8]?
    /// Messages that come in one piece with each answer, before it.
    package var chatter: [[UInt8]] = []

    package init() {}
  }

  private let connection: LoopbackConnection
  private let tag: any TagReader
  private let habits: Habits
  private let thread: EmulatorThread
  private let state = Mutex(State())

  private struct State {
    var frames: [[UInt8]] = []
    var late: [UInt8]?
    var isLost = false
    var isGone = false
  }

  /// Connects, and answers until the other side closes the connection. Returns nil if nobody listens.
  package init?(port: Int, tag: any TagReader, habits: Habits = Habits()) {
    guard let connection = LoopbackConnection(to: port) else { return nil }
    (self.connection, self.tag, self.habits) = (connection, tag, habits)
    thread = EmulatorThread("phone.\(port)")
    Task(executorPreference: thread) { await self.run() }
  }

  /// The frames that it was asked to send, in their order.
  package var frames: [[UInt8]] { state.withLock { $0.frames } }

  private func run() async {
    say([0x08, 0x01])
    // "Somebody listens": four bytes of length, and the opcode 2.
    guard connection.received(count: 6) == [0, 0, 0, 2, 0x08, 0x02] else { return }
    find()
    while let head = connection.received(count: 4) {
      let length = head.reduce(0) { $0 << 8 | Int($1) }
      guard let message = connection.received(count: length) else { return }
      // Data of a reader after the first: `12 n 10 01 1A m` and the frame.
      guard message.starts(with: [0x12, UInt8(length - 2), 0x10, 0x01, 0x1A, UInt8(length - 6)]) else { return }
      if await !take(Array(message.dropFirst(6))) { return }
    }
  }

  /// Answers a frame; false once the app is closed.
  private func take(_ frame: [UInt8]) async -> Bool {
    let number = state.withLock { state in
      state.frames.append(frame)
      return state.frames.count
    }
    if state.withLock({ $0.isLost }) {
      state.withLock { $0.isLost = false }
      find()
      return true
    }
    if state.withLock({ $0.isGone }) { return true }
    let answer = await answer(to: frame)
    switch habits.acts[number] {
    case .loss: state.withLock { $0.isLost = true }
    case .removal: state.withLock { $0.isGone = true }
    case .stranger: reply([0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0xA0, 0x07, 0xE0])
    case .farewell:
      say([0x08, 0x03])
      connection.end()
      return false
    case .delay:
      let earlier = state.withLock { state in
        defer { state.late = answer }
        return state.late
      }
      if let earlier { reply(earlier) }
    case nil:
      let late = state.withLock { $0.late.take() }
      for answer in [late, answer].compactMap(\.self) { reply(answer) }
    }
    return true
  }

  private func answer(to frame: [UInt8]) async -> [UInt8]? {
    if let foreign = habits.foreignAnswer { return foreign }
    var frame = frame
    let isAddressed = frame[0] & 0x24 == 0x20
    if isAddressed {
      let start = frame[1] >= 0xA0 ? 3 : 2
      guard frame.count >= start + 8 else { return nil }
      frame.removeSubrange(start..<start + 8)
      frame[0] &= ~0x20
    } else if habits.answersAddressedOnly, frame[1] != 0x01 {
      return nil
    }
    guard let request = ISO15693.Request(frame: frame) else { return nil }
    return try? await tag.exchange(request)
  }

  /// A card came into the field: source 1, with the app's time, and no UID.
  private func find() { say([0x12, 0x09, 0x08, 0x01, 0x20, 0x80, 0xB8, 0x83, 0xA1, 0xF7, 0x32]) }

  private func reply(_ answer: [UInt8]) {
    let data =
      [0x08, 0x01, 0x10, 0x01, 0x1A, UInt8(answer.count)] + answer + [0x20, 0x80, 0xB8, 0x83, 0xA1, 0xF7, 0x32]
    let message = [0x12, UInt8(data.count)] + data
    say(habits.chatter + [message])
  }

  private func say(_ message: [UInt8]) { say([message]) }

  private func say(_ messages: [[UInt8]]) {
    var bytes: [UInt8] = []
    for message in messages { bytes += [0, 0, 0, UInt8(message.count), habits.session] + message }
    for piece in habits.sendsBytes ? bytes.map({ [$0] }) : [bytes] { connection.send(piece) }
  }
}
