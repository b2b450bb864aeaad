// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import CGMModel
  import HostSystem
  import Synchronization

  /// One or more PC/SC readers, of which the one that a sensor is held to is used.
  actor PCSCReader: TagReader {
    private let choice: PCSCChoice
    private let session: PCSCSession
    private let thread: ReaderThread
    private let deadline: Duration
    /// The reader in use, or else the first of those that could be.
    private var name: String
    private var conversation: CardConversation?
    /// nil until the tag has answered in one.
    private var dialect: String?
    private var isClosed = false

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

    /// A wait is made of pieces of this length; between them the list of readers is read again.
    private static let piece = Duration.seconds(1)
    /// The same while there is a card that cannot be had yet.
    private static let shortPiece = Duration.milliseconds(100)

    /// A tag that is connected is let go of first: the field goes off, and the tag starts afresh.
    ///
    /// A card of another kind that lay there before is passed over, for a contact card may be plugged in for good; not if
    /// the address names its reader. Throws also `readerBusy` if another program kept the tag, `readerLacks15693` if no
    /// reader here is able, and `readerUnplugged`.
    func waitForTag(within limit: Duration) async throws(TransportError) {
      await letGo()
      dialect = nil
      let end = ContinuousClock.now + limit
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
        isFirstLook = false
      } while .now < end
      throw failure
    }

    func run<Value: Sendable>(
      _ work: @escaping @Sendable () async -> Value, rescue: @escaping @Sendable (TransportError) -> Value
    ) async -> Value {
      await thread.run(work, rescue: rescue)
    }

    func waitForRemoval() async throws(TransportError) {
      guard conversation != nil else { return }
      // A reader in the middle of a conversation may not look whether its tag is still there.
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

    /// The readers in question, when something has changed on one of them or the time is over.
    private func look(after known: [PCSCSlot], within time: Duration) async throws(TransportError) -> [PCSCSlot] {
      if isClosed { throw .cancelled }
      do {
        return try await thread.perform(
          within: time + deadline, orThrow: .readerSilent(name: name), interrupt: { [session] in session.cancel() }
        ) { [choice, session] () throws(TransportError) in
          while true {
            let names = try choice.readers(of: session.readerNames())
            let slots = names.map { name in known.first { $0.name == name } ?? PCSCSlot(name: name) }
            if let seen = try session.look(at: slots, within: time) { return seen }
          }
        }
      } catch .noReader, .noReaderNamed {
        // It was there when this reader was opened.
        throw .readerUnplugged(name: name)
      }
    }

    private enum Taken {
      case sensor
      case other
      /// It may be had in a moment; what to say if not.
      case notYet(TransportError)
    }

    /// Connects the card on this slot if it is, or may be, a sensor.
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
        // A contact card, with which PC/SC has trouble of its own.
        return .other
      }
      name = slot.name
      conversation = CardConversation(channel: channel, hint: PCSCRememberedDialects[name])
      return .sensor
    }

    // MARK: Asking

    func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
      guard let conversation else { throw isClosed ? .cancelled : .noTag }
      let answer = try await conversation.exchange(request)
      if dialect == nil, let found = await conversation.dialectName {
        dialect = found
        PCSCRememberedDialects[name] = found
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
      // Not on the thread, which may be stuck.
      await Task { [thread, session, deadline] in
        await conversation.end()
        await thread.finish(within: deadline) { session.disconnect() }
      }.value
    }
  }

  /// Which dialect a reader understood, by the reader's name, until the process ends: the next tap need not probe again.
  private enum PCSCRememberedDialects {
    private static let names = Mutex<[String: String]>([:])

    static subscript(reader: String) -> String? {
      get { names.withLock { $0[reader] } }
      set { names.withLock { $0[reader] = newValue } }
    }
  }
#endif
