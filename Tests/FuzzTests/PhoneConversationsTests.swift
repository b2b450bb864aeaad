// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import LibreKit
import Synchronization
import TestSupport
import Testing

@testable import NFCTransport

/// Whole reads with a phone of which any message may be lost, late, changed or followed by others, in memory and without
/// a wait: what does not come at once does not come in time.
@Suite("Changed conversations with a phone")
struct PhoneConversationsTests {
  @Test("end with an error or with the sensor's reading, after a limited number of requests")
  func conversations() async throws {
    let image = try #require(Scenario.named("active")).image(seed: 7)
    let expected = try await SensorReader(on: SimulatedTag { _ in image }).read()
    var read = 0
    let count = TestTier.rounds(300, full: 10_000)
    for seed in 0..<UInt64(count) {
      let phone = ChangedPhone(image, seed: seed)
      do throws(LibreError) {
        let reading = try await SensorReader(on: ConversationReader(phone)).read()
        #expect(reading.history.map(\.raw) == expected.history.map(\.raw), "seed \(seed)")
        #expect(reading.trend.map(\.raw) == expected.trend.map(\.raw), "seed \(seed)")
        #expect(reading.sensor.ageMinutes == expected.sensor.ageMinutes, "seed \(seed)")
        read += 1
      } catch {
        #expect(error.code != "interrupted", "seed \(seed)")
      }
      #expect(phone.requestCount <= 100, "seed \(seed)")
    }
    // Rare changes leave most reads right, and frequent ones hardly any.
    #expect(read > count / 4 && read < count * 3 / 4, "\(read) of \(count)")
  }

  /// The driver's conversation as a reader whose waits are a number of questions.
  private actor ConversationReader: TagReader {
    let description = ReaderDescription(address: "phone", name: "phone", dialect: "nfcgate")
    private var conversation: PhoneConversation

    init(_ phone: ChangedPhone) { conversation = PhoneConversation(phone, name: "phone", limit: .seconds(60)) }

    func waitForTag(within timeout: Duration) throws(TransportError) {
      for _ in 0..<10 {
        if try conversation.exchange(.inventory, startsAfresh: true, while: { true }) != nil { return }
      }
      throw .noTag
    }

    func exchange(_ request: ISO15693.Request) throws(TransportError) -> [UInt8] {
      if let answer = try conversation.exchange(request, startsAfresh: false, while: { true }) { return answer }
      throw .tagSilent(block: request.firstBlock)
    }

    func waitForRemoval() {}
    func close() { conversation.end() }
  }

  /// The other side of the line.
  fileprivate final class ChangedPhone: SerialLine {
    private let image: MemoryImage
    private let state: Mutex<State>

    fileprivate struct State {
      var random: SplitMix64
      /// One of so many messages is changed.
      var rarity: Int
      var pieces: [[UInt8]] = []
      /// A message that comes after the next one.
      var late: [UInt8]?
      var requestCount = 0
    }

    init(_ image: MemoryImage, seed: UInt64) {
      self.image = image
      var random = SplitMix64(seed: seed)
      let rarity = [2, 8, 64, 512][random.number(0...3)]
      state = Mutex(State(random: random, rarity: rarity))
      state.withLock { $0.say(NFCGateBytes.hello) }
    }

    var requestCount: Int { state.withLock { $0.requestCount } }

    func write(_ bytes: [UInt8], until end: Moment) {
      state.withLock { state in
        if bytes == NFCGateMessage.welcome { return state.say(NFCGateBytes.found) }
        state.requestCount += 1
        if let answer = answer(to: Array(bytes.dropFirst(10))) { state.say(NFCGateBytes.answer(answer)) }
      }
    }

    func read(until end: Moment, while isWanted: () -> Bool) -> [UInt8] {
      state.withLock { $0.pieces.isEmpty ? [] : $0.pieces.removeFirst() }
    }

    func close() {}

    private func answer(to frame: [UInt8]) -> [UInt8]? {
      var frame = frame
      if frame[0] == 0x22 {
        frame.removeSubrange((frame[1] >= 0xA0 ? 3 : 2)..<(frame[1] >= 0xA0 ? 11 : 10))
        frame[0] = 0x02
      }
      return ISO15693.Request(frame: frame).flatMap { SimulatedTag.answer(of: image, to: $0) }
    }
  }
}

extension PhoneConversationsTests.ChangedPhone.State {
  fileprivate mutating func say(_ message: [UInt8]) {
    let late = late.take()
    if random.number(1...rarity) == 1 { sayChanged(message) } else { pieces.append(message) }
    if let late { pieces.append(late) }
  }

  private mutating func sayChanged(_ message: [UInt8]) {
    var changed = message
    switch random.number(0...9) {
    case 0: break
    case 1: pieces += [message, message]
    case 2: late = message
    case 3...4:
      changed[random.number(0...message.count - 1)] ^= 1 << UInt8(random.number(0...7))
      pieces.append(changed)
    case 5: pieces.append(Array(message.prefix(random.number(0...message.count - 1))))
    case 6: pieces += message.map { [$0] }
    case 7: pieces.append(NFCGateBytes.found + message)
    case 8: pieces += [NFCGateBytes.answer([0x00, 0x00] + random.bytes(6) + [0x07, 0xE0]), message]
    default:
      // Anything in a frame of its own.
      let bytes = random.bytes(random.number(0...40))
      pieces += [[0, 0, 0, UInt8(bytes.count), 1] + bytes, message]
    }
  }
}
