// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import HostSystem

  /// Readers of PC/SC, through libpcsclite and the service pcscd: `pcsc`, or `pcsc:` and part of a reader's name.
  ///
  /// Run against real pcscd with virtual readers; untested on hardware.
  public struct PCSCBackend: ReaderBackend {
    public let scheme = "pcsc"
    public let summary = "a PC/SC reader with ISO 15693; pcsc:NAME for a reader whose name contains NAME"
    private let deadline: Duration

    /// Creates a backend; a reader that does not answer one command within `deadline` counts as silent.
    public init(deadline: Duration = .seconds(2)) {
      self.deadline = deadline
    }

    /// Opens a reader.
    ///
    /// - Throws: `libraryMissing`, `noDaemon`, `accessDenied`, `noReader`, `noReaderNamed`, `readerLacks15693`.
    public func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
      guard case .pcsc(let part) = address else { throw .unknownAddress(address.description) }
      let choice = PCSCChoice(part: part)
      let thread = ReaderThread(scheme)
      let (session, name) = try await thread.perform(within: Self.startTimeout, orThrow: .noDaemon) {
        () throws(TransportError) in
        let session = try PCSCSession()
        return (session, try choice.readers(of: session.readerNames())[0])
      }
      return PCSCReader(choice, name: name, session: session, thread: thread, deadline: deadline)
    }

    public func readers() async throws(TransportError) -> [FoundReader] {
      try await ReaderThread(scheme).perform(within: Self.startTimeout, orThrow: .noDaemon) {
        () throws(TransportError) in
        let session = try PCSCSession()
        while true {
          let slots = try session.readerNames().map { PCSCSlot(name: $0) }
          if slots.isEmpty { return [] }
          if let seen = try session.look(at: slots, within: .zero) { return seen.map(\.found) }
        }
      }
    }

    /// Timeout of the first call, which may start the service and its search for readers.
    private static let startTimeout = Duration.seconds(10)
  }
#endif
