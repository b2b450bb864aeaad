// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Synchronization
import TestSupport
import Testing

@testable import NFCTransport

/// The rules of a conversation with a phone, whose app does not say which request an answer belongs to. Whole reads are in
/// PhoneReaderTests.
@Suite("A conversation with a phone")
struct PhoneConversationTests {
  /// The app as it is on the wire, with a tag on the phone. Every wait ends at once.
  private final class Line: SerialLine {
    private let state = Mutex<(pieces: [[UInt8]], frames: [[UInt8]])>(([NFCGateBytes.found], []))
    private let answer: @Sendable (_ frame: [UInt8], _ number: Int) -> [UInt8]?

    init(_ answer: @escaping @Sendable (_ frame: [UInt8], _ number: Int) -> [UInt8]?) { self.answer = answer }

    var frames: [[UInt8]] { state.withLock { $0.frames } }

    func write(_ bytes: [UInt8], until end: Moment) {
      state.withLock { state in
        let frame = Array(bytes.dropFirst(10))
        state.frames.append(frame)
        if let answer = answer(frame, state.frames.count) { state.pieces.append(NFCGateBytes.answer(answer)) }
      }
    }

    func read(until end: Moment, while isWanted: () -> Bool) -> [UInt8] {
      state.withLock { $0.pieces.isEmpty ? [] : $0.pieces.removeFirst() }
    }

    func close() {}
  }

  private static func inventory(_ first: UInt8) -> [UInt8] { [0, 0, first, 0, 0, 0, 0, 0xA0, 0x07, 0xE0] }

  @Test("asks after a silence whether the sensor is still there, before anything else")
  func silence() throws {
    // The phone loses frames without a UID, and the answer to the second one with it.
    let line = Line { frame, number in
      switch (frame[0], frame[1]) {
      case (_, 0x01): Self.inventory(1)
      case (0x22, 0x20) where number != 6: [0] + [UInt8](repeating: 0xA5, count: 8)
      default: nil
      }
    }
    var conversation = PhoneConversation(line, name: "phone", limit: .seconds(1))
    func read(_ block: UInt8) throws -> [UInt8]? {
      try conversation.exchange(.readBlock(block), startsAfresh: false, while: { true })
    }
    // An inventory, the frame without a UID, an inventory, and the frame with it.
    #expect(try read(3) != nil && line.frames.map { $0[1] } == [0x01, 0x20, 0x01, 0x20])
    #expect(try read(4) != nil && read(5) == nil)
    #expect(try read(6) != nil)
    #expect(line.frames.dropFirst(6).map { $0[1] } == [0x01, 0x20])
  }

  @Test("rejects the answer of another sensor, until the caller expects another one")
  func otherSensor() throws {
    let line = Line { _, number in Self.inventory(number == 1 ? 1 : 2) }
    var conversation = PhoneConversation(line, name: "phone", limit: .seconds(1))
    func find(startsAfresh: Bool) throws -> [UInt8]? {
      try conversation.exchange(.inventory, startsAfresh: startsAfresh, while: { true })
    }
    #expect(try find(startsAfresh: false) == Self.inventory(1))
    #expect(try find(startsAfresh: false) == nil)
    #expect(try find(startsAfresh: true) == Self.inventory(2))
  }

  @Test("treats a message longer than any of the app's as one of another program")
  func length() throws {
    var stream = NFCGateStream()
    stream.add([0, 0, 0x10, 0])
    #expect(try stream.next() == nil)
    stream.add([1])
    #expect(try stream.next() == nil)
    stream = NFCGateStream()
    stream.add([0, 0, 0x10, 1, 1])
    #expect(throws: PhoneFault.isOther) { try stream.next() }
  }
}

struct PhoneBackendTests {
  @Test("lists phones that allow debugging, of which auto takes one where other readers are missing")
  func found() async throws {
    var phone = USBDevice(
      id: .init(vendor: 0x18D1, product: 0x4EE7), manufacturer: "Google", product: "Pixel 7a", isCardReader: false)
    phone.isDebuggedPhone = true
    let found = try await PhoneBackend(phones: { [phone] in [phone] }).readers()
    #expect(found.map(\.name) == ["Google Pixel 7a, by NFCGate"] && found.map(\.address.description) == ["phone"])
    #expect(found.map { ReaderAssessment($0).iso15693 } == [.yes])
    #expect(try await PhoneBackend(phones: { [] }).readers().isEmpty)
  }

  @Test("an address has a port or none", arguments: ["phone:x", "phone:70000", "phone:-1"])
  func address(text: String) async throws {
    let address = try ReaderAddress(text)
    await #expect(throws: TransportError.unknownAddress(text)) { try await PhoneBackend().open(address) }
  }

  @Test("a frame is addressed behind its command, or the manufacturer of a custom one")
  func addressedFrames() throws {
    let uid = try SensorUID(printed: "E007A00001234567")
    let onAir: [UInt8] = [0x67, 0x45, 0x23, 0x01, 0x00, 0xA0, 0x07, 0xE0]
    #expect(ISO15693.Request.readBlock(5).frame(addressedTo: uid) == [0x22, 0x20] + onAir + [5])
    #expect(
      ISO15693.Request.patchInfo(.texasInstruments).frame(addressedTo: uid) == [0x22, 0xA1, 0x07] + onAir)
    #expect(ISO15693.Request.inventory.frame(addressedTo: uid) == nil)
  }
}
