// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import CPCSC
  import Synchronization

  /// A context of PC/SC with at most one connected card. Its calls, except `cancel`, block: make them on the reader's
  /// thread.
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

    /// Throws `libraryMissing`, `noDaemon`, `accessDenied`.
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

    /// The new state as soon as one differs from the given, or readers come or go; nil if one of the slots is gone.
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

    /// The readers and their states, without those that were unplugged. Throws `serviceStuck` if the service still shows
    /// nothing but such readers after `patience`.
    func usableSlots(patience: Duration = .seconds(5)) throws(TransportError) -> [PCSCSlot] {
      let end = ContinuousClock.now + patience
      while true {
        let slots = try slots(within: .zero)
        let usable = slots.filter { !isGone($0) }
        guard let gone = slots.first, usable.isEmpty else { return usable }
        if .now >= end { throw .serviceStuck(reader: gone.name) }
        _ = try look(at: slots, within: .milliseconds(200))
      }
    }

    /// True for a reader that was unplugged and that the service still shows: for less than a second, or until it is
    /// restarted (PCSCBehaviour, "A service that is stuck").
    func isGone(_ slot: PCSCSlot) -> Bool {
      // Another program may hold a card for long, and a connection would wait for it.
      if slot.hasCard { return false }
      var (handle, number) = (0, UInt(0))
      let code = library.functions.SCardConnect(context, slot.name, LIBRE_PCSC_DIRECT, 0, &handle, &number)
      if code == LIBRE_PCSC_SUCCESS { _ = library.functions.SCardDisconnect(handle, LIBRE_PCSC_LEAVE) }
      return code == LIBRE_PCSC_READER_UNAVAILABLE
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

    /// Returns the answer with its status word; empty if the card was pulled meanwhile (seen with vpcd).
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

  /// Loaded on first use of a reader: a machine without it can still decode. Unchecked: a table of C functions that
  /// never changes is safe to share.
  struct PCSCLibrary: @unchecked Sendable {
    let functions: libre_pcsc

    /// The library, loaded once in a process. `libraryMissing` names the library, or the function that it lacks.
    static let loaded: Result<PCSCLibrary, TransportError> = {
      var functions = libre_pcsc()
      guard let missing = libre_pcsc_load(&functions).map({ String(cString: $0) }) else {
        return .success(PCSCLibrary(functions: functions))
      }
      return .failure(
        .libraryMissing(missing == LIBRE_PCSC_LIBRARY ? missing : "\(missing) in \(LIBRE_PCSC_LIBRARY)"))
    }()

    func check(_ code: Int, at reader: String) throws(TransportError) {
      let error = PCSCStatus(code: code).error(at: reader) { code in
        functions.pcsc_stringify_error(code).map { String(cString: $0) } ?? ""
      }
      if let error { throw error }
    }
  }

  /// Seen on pcsc-lite 1.9.9, except polkit's refusal, and cards that do not answer, have no power or were reset
  /// (read).
  struct PCSCStatus: Hashable, Sendable {
    let code: Int

    /// The error at the reader of this name; nil for success. `words`: the library's text for a code.
    func error(at reader: String, words: (Int) -> String) -> TransportError? {
      switch code {
      case LIBRE_PCSC_SUCCESS: nil
      case LIBRE_PCSC_NO_SERVICE, LIBRE_PCSC_SERVICE_STOPPED, LIBRE_PCSC_COMMUNICATION_FAILED: .noDaemon
      case LIBRE_PCSC_SECURITY_VIOLATION: .accessDenied
      case LIBRE_PCSC_NO_READERS: .noReader
      case LIBRE_PCSC_NO_CARD, LIBRE_PCSC_REMOVED_CARD, LIBRE_PCSC_NOT_TRANSACTED, LIBRE_PCSC_UNRESPONSIVE_CARD,
        LIBRE_PCSC_UNPOWERED_CARD, LIBRE_PCSC_RESET_CARD:
        .tagLost(block: nil)
      case LIBRE_PCSC_SHARING_VIOLATION: .readerBusy(name: reader)
      case LIBRE_PCSC_READER_UNAVAILABLE, LIBRE_PCSC_UNKNOWN_READER: .readerUnplugged(name: reader)
      case LIBRE_PCSC_CANCELLED: .cancelled
      case LIBRE_PCSC_TIMEOUT: .noTag
      default: .readerFailed(name: reader, reason: "0x\(String(code, radix: 16, uppercase: true)) \(words(code))")
      }
    }
  }

  /// A reader as PC/SC lists it (one slot of a device) and the state last seen.
  struct PCSCSlot: Hashable, Sendable {
    let name: String
    /// PC/SC's flags with a counter of events above them; 0 before the first check.
    var flags: UInt = 0
    var atr: [UInt8] = []

    /// True if a card is present and answered its reset: nothing can be asked of any other.
    var hasCard: Bool { has(LIBRE_PCSC_STATE_PRESENT) && !has(LIBRE_PCSC_STATE_MUTE) && !atr.isEmpty }
    var isEmpty: Bool { has(LIBRE_PCSC_STATE_EMPTY) }

    var found: FoundReader {
      FoundReader(address: .pcsc(name: name), name: name, presence: presence)
    }

    private var presence: FoundReader.Presence {
      if has(LIBRE_PCSC_STATE_EXCLUSIVE) { return .busy }
      if isEmpty { return .nothing }
      guard hasCard else { return .unknown }
      switch AnswerToReset(atr).verdict {
      case .iso15693: return .iso15693
      case .otherCard: return .otherCard
      case .undecided: return .unknown
      }
    }

    private func has(_ flag: UInt) -> Bool { flags & flag != 0 }
  }
#endif
