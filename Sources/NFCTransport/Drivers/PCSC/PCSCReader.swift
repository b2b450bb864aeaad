// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import CGMModel
  import HostSystem
  import Synchronization

  /// One or more PC/SC readers; the one that the sensor is held to is used.
  actor PCSCReader: HostReader {
    private let choice: PCSCChoice
    private let session: PCSCSession
    private let thread: ReaderThread
    private let deadline: Duration
    /// Name of the reader in use, or the first of those that could be used.
    private var name: String
    private var conversation: CardConversation?
    /// Dialect in which the tag answered; nil until then.
    private var dialect: String?
    private var isClosed = false

    /// Dialects that readers understood, by reader name, until the process ends: the next tap need not probe again.
    private static let rememberedDialects = Mutex<[String: String]>([:])

    init(_ choice: PCSCChoice, name: String, session: PCSCSession, thread: ReaderThread, deadline: Duration) {
      self.choice = choice
      self.name = name
      self.session = session
      self.thread = thread
      self.deadline = deadline
    }

    var description: ReaderDescription {
      ReaderDescription(address: choice.address.description, name: name, dialect: dialect ?? "unknown")
    }

    // MARK: Waiting

    /// Length of one wait; the list of readers is read again between two waits.
    private static let piece = Duration.seconds(1)
    private static let shortPiece = Duration.milliseconds(100)

    /// Disconnects a connected tag first: the field goes off, and the tag restarts. Skips a card of another kind that
    /// was already present, because a contact card may stay plugged in, unless the address names its reader.
    func waitForTag(within timeout: Duration) async throws(TransportError) {
      await letGo()
      dialect = nil
      let end = ContinuousClock.now + timeout
      var slots: [PCSCSlot] = []
      var passedOver: [String: [UInt8]] = [:]
      var isFirstLook = true
      var piece = Self.piece
      var failure: TransportError
      repeat {
        slots = try await look(after: slots, within: min(piece, max(.zero, end - .now)))
        (piece, failure) = (Self.piece, .noTag)
        for slot in slots {
          if !slot.hasCard { passedOver[slot.name] = nil }
          if !slot.hasCard || passedOver[slot.name] == slot.atr { continue }
          switch try await take(slot) {
          case .sensor: return
          case .other:
            guard isFirstLook, choice.part == nil else { throw .otherCard(atr: slot.atr) }
            passedOver[slot.name] = slot.atr
          case .notYet(let reason): (piece, failure) = (Self.shortPiece, reason)
          }
        }
        if isFirstLook { try await requireUsable(slots) }
        isFirstLook = false
      } while .now < end
      throw failure
    }

    private func requireUsable(_ slots: [PCSCSlot]) async throws(TransportError) {
      let isGone = try await thread.perform(within: deadline, orThrow: .readerSilent(name: name)) { [session] in
        slots.allSatisfy(session.isGone)
      }
      if isGone { throw .readerUnplugged(name: name) }
    }

    var ownThread: (any ReaderThreading)? { thread }

    func waitForRemoval() async throws(TransportError) {
      guard conversation != nil else { return }
      // A reader in the middle of a conversation cannot check whether its tag is present.
      await letGo()
      var slots: [PCSCSlot] = []
      repeat {
        do {
          slots = try await look(after: slots, within: Self.piece).filter { $0.name == name }
        } catch .readerUnplugged {
          return
        }
      } while slots.contains { !$0.isEmpty }
    }

    /// Returns the selected readers as soon as one has changed, or after `time`.
    private func look(after known: [PCSCSlot], within time: Duration) async throws(TransportError) -> [PCSCSlot] {
      if isClosed { throw .cancelled }
      do {
        return try await thread.perform(
          within: time + deadline, orThrow: .readerSilent(name: name), interrupt: { [session] in session.cancel() }
        ) { [choice, session] () throws(TransportError) in
          try session.slots(after: known, within: time, choose: choice.readers)
        }
      } catch .noReader, .noReaderNamed {
        // It was present when this reader was opened.
        throw .readerUnplugged(name: name)
      }
    }

    private enum Taken {
      case sensor
      case other
      /// May become available soon; with the error to report if it does not.
      case notYet(TransportError)
    }

    private func take(_ slot: PCSCSlot) async throws(TransportError) -> Taken {
      let verdict = AnswerToReset(slot.atr).verdict
      if verdict == .otherCard { return .other }
      let channel = PCSCChannel(readerName: slot.name, session: session, thread: thread, deadline: deadline)
      do {
        try await channel.connect()
        if verdict == .undecided, CardUID(try await channel.transmit(CardUID.command)) == nil {
          await channel.disconnect()
          return .other
        }
      } catch .readerBusy(let name) where verdict == .iso15693 || choice.part != nil {
        return .notYet(.readerBusy(name: name))
      } catch .readerBusy, .tagLost, .readerUnplugged {
        await channel.disconnect()
        return .notYet(.noTag)
      } catch .readerFailed where verdict == .undecided {
        // A contact card that PC/SC cannot connect.
        return .other
      }
      name = slot.name
      conversation = CardConversation(channel: channel, hint: Self.rememberedDialects.withLock { $0[name] })
      return .sensor
    }

    // MARK: Asking

    func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
      guard let conversation else { throw isClosed ? .cancelled : .noTag }
      let answer = try await conversation.exchange(request)
      if dialect == nil, let found = await conversation.dialectName {
        dialect = found
        Self.rememberedDialects.withLock { $0[name] = found }
      }
      return answer
    }

    // MARK: Ending

    func close() async {
      isClosed = true
      await letGo()
      await thread.finish(within: deadline) { [session] in session.release() }
    }

    /// Ends the conversation and switches the field off, also in a cancelled task.
    private func letGo() async {
      guard let conversation else { return }
      self.conversation = nil
      // Not on the reader's thread, which may be stuck.
      await Task { [thread, session, deadline] in
        await conversation.end()
        await thread.finish(within: deadline) { session.disconnect() }
      }.value
    }
  }

  struct PCSCChannel: CardChannel {
    let readerName: String
    let session: PCSCSession
    let thread: ReaderThread
    let deadline: Duration

    func connect() async throws(TransportError) {
      try await perform { session throws(TransportError) in try session.connect(to: readerName) }
    }

    func transmit(_ command: [UInt8]) async throws(TransportError) -> [UInt8] {
      let answer = try await perform { session throws(TransportError) in try session.transmit(command) }
      if answer.count < 2 { throw .tagLost(block: nil) }
      return answer
    }

    func disconnect() async {
      await thread.finish(within: deadline) { [session] in session.disconnect() }
    }

    private func perform<Value: Sendable>(
      _ work: @escaping @Sendable (PCSCSession) throws(TransportError) -> Value
    ) async throws(TransportError) -> Value {
      try await thread.perform(within: deadline, orThrow: .readerSilent(name: readerName)) {
        [session] () throws(TransportError) in try work(session)
      }
    }
  }

  struct PCSCChoice: Hashable, Sendable {
    /// Part of a reader's name, in any case; nil selects every reader.
    let part: String?

    var address: ReaderAddress { .pcsc(name: part) }

    /// Returns at least one that may support ISO 15693. Throws `noReader`, `noReaderNamed`, `readerLacks15693`.
    func readers(of names: [String]) throws(TransportError) -> [String] {
      if names.isEmpty { throw .noReader }
      let meant = part.map { part in names.filter { $0.lowercased().contains(part.lowercased()) } } ?? names
      guard let first = meant.first else { throw .noReaderNamed(part ?? "", present: names) }
      let able = meant.filter { name in
        if case .cannot = KnownReader.named(name)?.ability { false } else { true }
      }
      if able.isEmpty { throw .readerLacks15693(name: first) }
      return able
    }
  }
#endif
