// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import HostSystem

  /// The card on one reader, as the dialects see it.
  struct PCSCChannel: CardChannel {
    let readerName: String
    let session: PCSCSession
    let thread: ReaderThread
    /// Deadline of one command.
    let deadline: Duration

    /// Connects the card exclusively and switches it on.
    func connect() async throws(TransportError) {
      try await perform { session throws(TransportError) in try session.connect(to: readerName) }
    }

    func transmit(_ command: [UInt8]) async throws(TransportError) -> [UInt8] {
      let answer = try await perform { session throws(TransportError) in try session.transmit(command) }
      if answer.count < 2 { throw .tagLost(block: nil) }
      return answer
    }

    /// Disconnects the card, if it is connected.
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
#endif
