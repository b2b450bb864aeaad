// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import HostSystem

  /// Readers of PC/SC, through libpcsclite and the service pcscd: `pcsc`, or `pcsc:` and a part of a reader's name.
  ///
  /// Everything here ran against real pcscd with virtual readers; it is untested on hardware.
  public struct PCSCBackend: ReaderBackend {
    public let scheme = "pcsc"
    public let summary = "a reader of PC/SC with ISO 15693; pcsc:NAME for one whose name contains NAME"
    private let deadline: Duration

    /// `deadline` is for one command to a reader, after which it counts as silent.
    public init(deadline: Duration = .seconds(2)) {
      self.deadline = deadline
    }

    /// Throws `libraryMissing`, `noDaemon`, `accessDenied`, `noReader`, `noReaderNamed`, `readerLacks15693`.
    public func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
      guard case .pcsc(let part) = address else { throw .unknownAddress(address.description) }
      let choice = PCSCChoice(part: part)
      let thread = ReaderThread(scheme)
      let (session, name) = try await thread.perform(within: Self.startLimit, orThrow: .noDaemon) {
        () throws(TransportError) in
        let session = try PCSCSession()
        return (session, try choice.readers(of: session.readerNames())[0])
      }
      return PCSCReader(choice, name: name, session: session, thread: thread, deadline: deadline)
    }

    public func readers() async throws(TransportError) -> [FoundReader] {
      try await ReaderThread(scheme).perform(within: Self.startLimit, orThrow: .noDaemon) {
        () throws(TransportError) in
        let session = try PCSCSession()
        while true {
          let slots = try session.readerNames().map { PCSCSlot(name: $0) }
          if slots.isEmpty { return [] }
          if let seen = try session.look(at: slots, within: .zero) { return seen.map(\.found) }
        }
      }
    }

    /// The service may be started by the first call, and look for its readers then.
    private static let startLimit = Duration.seconds(10)
  }
#endif
