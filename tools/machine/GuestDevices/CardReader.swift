// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Dispatch
import Synchronization
import TestSupport

/// A USB reader of smart cards (CCID 1.10). The first slot of its first interface is where a tag can be laid.
final class CardReader: GuestDevice {
  private struct State {
    var card: VirtualCard?
    /// A command that is never answered.
    var hangs = false
    /// The host has asked for the state of the slot since the card came or went.
    var isNoticed = false
    /// Whether the card has power, by slot.
    var powered: Set<UInt8> = []
  }

  private let gadget: USBGadget
  private let interfaces: [CCIDInterface]
  private let functions = Mutex<[FunctionFS]>([])
  private let state = Mutex(State())
  private let cardThread: EmulatorThread

  init(_ product: Product, _ interfaces: [CCIDInterface], port: Int) throws {
    self.interfaces = interfaces
    cardThread = EmulatorThread(product.name)
    let names = interfaces.indices.map { "port\(port).\($0)" }
    gadget = try USBGadget(product, port: port, functions: names.map { "ffs.\($0)" })
    for (index, interface) in interfaces.enumerated() {
      let function = try FunctionFS(
        names[index], interface, started: { [unowned self] in if index == 0 { notifyOfCard() } },
        received: { [unowned self] in answer(to: $0, on: index) })
      functions.withLock { $0.append(function) }
    }
    try gadget.connect()
  }

  func unplug() {
    gadget.disconnect()
    for function in functions.withLock({ $0 }) { function.close() }
    gadget.remove()
  }

  // MARK: The card

  func lay(_ tag: GuestTag, faults: [Int: GuestFault]) throws {
    guard let dialect = interfaces[0].dialect else {
      throw File.Failure(description: "it has no way to carry ISO 15693")
    }
    let faults = faults.mapValues { fault -> VirtualCard.Fault in
      switch fault {
      case .removal: .removal
      case .hang: .hang
      }
    }
    put(VirtualCard(dialect, tag: tag.simulated, uid: tag.uid.bytes, faults: faults))
  }

  func take() { put(nil) }

  func status() -> GuestStatus {
    let state = state.withLock { $0 }
    let exchanges = state.card.map { card in wait { await card.carried.count } } ?? 0
    return GuestStatus(
      exchanges: exchanges, hangs: state.hangs, hasTag: state.card != nil, isNoticed: state.isNoticed)
  }

  private func put(_ card: VirtualCard?) {
    state.withLock { $0 = State(card: card) }
    notifyOfCard()
  }

  /// Bit 0: a card is there; bit 1: that is news.
  private func notifyOfCard() {
    let isThere = state.withLock { $0.card != nil }
    functions.withLock { $0.first }?.notify([0x50, isThere ? 0x03 : 0x02])
  }

  // MARK: Messages

  private func answer(to message: [UInt8], on index: Int) -> [UInt8]? {
    let (slot, sequence, data) = (message[5], message[6], Array(message[10...]))
    let card = index == 0 && slot == 0 ? state.withLock { $0.card } : nil
    /// 0 active, 1 inactive, 2 no card.
    func cardStatus() -> UInt8 { card == nil ? 2 : state.withLock { $0.powered.contains(slot) } ? 0 : 1 }
    func reply(_ type: UInt8, _ data: [UInt8] = [], error: UInt8? = nil) -> [UInt8] {
      [type] + UInt32(data.count).littleEndianBytes
        + [slot, sequence, cardStatus() | (error == nil ? 0 : 0x40), error ?? 0, 0] + data
    }
    /// The driver is told that nobody answered.
    let mute: UInt8 = 0xFE
    switch message[0] {
    // ICC power on, off, slot status.
    case 0x62:
      // pn533_usb switches on before it asks, whether or not a card is there.
      guard let card else { return reply(0x80, error: mute) }
      state.withLock { _ = $0.powered.insert(slot) }
      wait { await card.power(true) }
      return reply(0x80, card.atr)
    case 0x63:
      state.withLock { _ = $0.powered.remove(slot) }
      if let card { wait { await card.power(false) } }
      return reply(0x81)
    case 0x65:
      if index == 0, slot == 0 { state.withLock { $0.isNoticed = true } }
      return reply(0x81)
    // Block.
    case 0x6F:
      guard let card else { return reply(0x80, error: mute) }
      switch wait({ await card.reaction(to: data) }) {
      case .answer(let answer): return reply(0x80, answer)
      case .silence:
        state.withLock { $0.hangs = true }
        return nil
      case .departure:
        take()
        return [0x80, 0, 0, 0, 0, slot, sequence, 0x42, mute, 0]
      }
    // Parameters: get, reset, set; T=1.
    case 0x6C, 0x6D, 0x61: return reply(0x82, [0x11, 0x10, 0x00, 0x4D, 0x00, 0xFE, 0x00]).withParameters(protocol: 1)
    case 0x6B where interfaces[index].hasPN532: return reply(0x83, Self.pn532(data))
    case 0x6B: return reply(0x83, error: 0)
    default: return reply(0x81, error: 0)
    }
  }

  /// What a PN532 answers to its host behind `FF 00 00 00 LENGTH`: the version that an ACR122U has, and consent.
  private static func pn532(_ command: [UInt8]) -> [UInt8] {
    guard command.count >= 7, command.starts(with: [0xFF, 0x00, 0x00, 0x00]), command[5] == 0xD4 else {
      return [0x63, 0x00]
    }
    let version: [UInt8] = command[6] == 0x02 ? [0x32, 0x01, 0x06, 0x07] : []
    return [0xD5, command[6] + 1] + version + [0x90, 0x00]
  }

  private func wait<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
    waited(on: cardThread, work)
  }
}

extension [UInt8] {
  /// An answer with parameters says which protocol they are for.
  fileprivate func withParameters(protocol number: UInt8) -> [UInt8] {
    var message = self
    message[9] = number
    return message
  }
}
