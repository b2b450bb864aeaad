// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import CPCSC
  import Synchronization

  /// A context of the PC/SC service with at most one connected card.
  ///
  /// Its calls block, so call them on the reader's thread; only `cancel` is for other threads.
  final class PCSCSession: Sendable {
    private let library: PCSCLibrary
    private let context: Int
    private let state = Mutex(State())

    private struct State {
      var card: Card?
      var isReleased = false
    }

    private struct Card {
      let reader: String
      let handle: Int
      let protocolNumber: UInt
    }

    /// Name in an error that does not concern one reader.
    static let service = "PC/SC"

    /// Connects to the PC/SC service.
    ///
    /// - Throws: `libraryMissing`, `noDaemon`, `accessDenied`.
    convenience init() throws(TransportError) { try self.init(PCSCLibrary.loaded.get()) }

    init(_ library: PCSCLibrary) throws(TransportError) {
      self.library = library
      var context = 0
      let code = library.functions.SCardEstablishContext(LIBRE_PCSC_SCOPE_SYSTEM, nil, nil, &context)
      try library.check(code, at: Self.service)
      self.context = context
    }

    deinit { release() }

    // MARK: Readers

    /// Returns the names of all readers without disturbing any.
    func readerNames() throws(TransportError) -> [String] {
      while true {
        var length: UInt = 0
        var code = library.functions.SCardListReaders(context, nil, nil, &length)
        if code == LIBRE_PCSC_NO_READERS { return [] }
        try library.check(code, at: Self.service)
        var names = [CChar](repeating: 0, count: Int(length))
        code = library.functions.SCardListReaders(context, nil, &names, &length)
        // A reader was added meanwhile.
        if code == LIBRE_PCSC_INSUFFICIENT_BUFFER { continue }
        if code == LIBRE_PCSC_NO_READERS { return [] }
        try library.check(code, at: Self.service)
        return names.prefix(Int(length)).split(separator: 0).map { name in
          String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
      }
    }

    /// The readers that `choose` takes of all, as soon as one differs from what is known of it, or readers come or go;
    /// also after `time`. At once if there is a reader of which nothing is known.
    func slots(
      after known: [PCSCSlot] = [], within time: Duration,
      choose: ([String]) throws(TransportError) -> [String] = { $0 }
    ) throws(TransportError) -> [PCSCSlot] {
      while true {
        let slots = try choose(readerNames()).map { name in known.first { $0.name == name } ?? PCSCSlot(name: name) }
        if let seen = try look(at: slots, within: time) { return seen }
      }
    }

    /// Waits until a slot differs from the given state, or readers come or go, and returns the new state; also after
    /// `time`. nil if one of the slots is gone.
    func look(at slots: [PCSCSlot], within time: Duration) throws(TransportError) -> [PCSCSlot]? {
      // Without this pseudo-reader a wait for an empty list would return at once, and a new reader would not end a
      // wait.
      let names = slots.map(\.name) + ["\\\\?PnP?\\Notification"]
      var text: [CChar] = []
      var starts: [Int] = []
      for name in names {
        starts.append(text.count)
        text += name.utf8.map { CChar(bitPattern: $0) } + [0]
      }
      var states = [libre_pcsc_reader_state](repeating: libre_pcsc_reader_state(), count: names.count)
      let code = text.withUnsafeBufferPointer { text in
        for index in states.indices { states[index].name = text.baseAddress.map { $0 + starts[index] } }
        for (index, slot) in slots.enumerated() { states[index].known = slot.flags & ~LIBRE_PCSC_STATE_CHANGED }
        return library.functions.SCardGetStatusChange(context, time.milliseconds, &states, UInt(states.count))
      }
      if code == LIBRE_PCSC_UNKNOWN_READER { return nil }
      if code != LIBRE_PCSC_TIMEOUT { try library.check(code, at: Self.service) }
      return zip(slots, states).map { slot, state in
        let atr = withUnsafeBytes(of: state.atr) { Array($0.prefix(Int(state.atr_length))) }
        return PCSCSlot(name: slot.name, flags: state.now, atr: atr)
      }
    }

    /// Makes a running `look` throw `cancelled`; has no effect before it waits.
    func cancel() {
      // Locked, so that the context is not released meanwhile.
      state.withLock { state in
        if !state.isReleased { _ = library.functions.SCardCancel(context) }
      }
    }

    // MARK: The card

    /// Disconnects the previous card, then connects the card on this reader exclusively and switches it on.
    func connect(to reader: String) throws(TransportError) {
      disconnect()
      var code = LIBRE_PCSC_SUCCESS
      var handle = 0
      var number: UInt = 0
      for protocols in [LIBRE_PCSC_PROTOCOL_T0 | LIBRE_PCSC_PROTOCOL_T1, LIBRE_PCSC_PROTOCOL_RAW] {
        code = library.functions.SCardConnect(context, reader, LIBRE_PCSC_EXCLUSIVE, protocols, &handle, &number)
        if code != LIBRE_PCSC_PROTOCOL_MISMATCH { break }
      }
      try library.check(code, at: reader)
      state.withLock { $0.card = Card(reader: reader, handle: handle, protocolNumber: number) }
      try library.check(library.functions.SCardBeginTransaction(handle), at: reader)
    }

    /// Sends a command and returns the answer with its status word; empty if the card was pulled meanwhile (seen with
    /// vpcd) or was not connected.
    func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
      guard let card = state.withLock({ $0.card }) else { return [] }
      var sending = libre_pcsc_protocol(
        number: card.protocolNumber, length: UInt(MemoryLayout<libre_pcsc_protocol>.size))
      var answer = [UInt8](repeating: 0, count: Int(LIBRE_PCSC_LONGEST_ANSWER))
      var length = UInt(answer.count)
      let code = library.functions.SCardTransmit(
        card.handle, &sending, command, UInt(command.count), nil, &answer, &length)
      try library.check(code, at: card.reader)
      return Array(answer.prefix(Int(length)))
    }

    /// Disconnects the card, if there is one, and switches the field off.
    func disconnect() {
      guard let card = state.withLock({ $0.card.take() }) else { return }
      _ = library.functions.SCardEndTransaction(card.handle, LIBRE_PCSC_LEAVE)
      _ = library.functions.SCardDisconnect(card.handle, LIBRE_PCSC_UNPOWER)
    }

    /// Releases everything; the session cannot be used afterwards.
    func release() {
      disconnect()
      state.withLock { state in
        if !state.isReleased { _ = library.functions.SCardReleaseContext(context) }
        state.isReleased = true
      }
    }
  }

  extension Duration {
    /// Whole milliseconds, rounded up.
    fileprivate var milliseconds: UInt {
      let (seconds, attoseconds) = max(.zero, self).components
      return UInt(seconds) * 1000 + UInt((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
  }
#endif
