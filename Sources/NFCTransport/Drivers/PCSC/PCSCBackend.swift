// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import HostSystem

  /// Run against real pcscd with virtual readers; untested on hardware.
  package struct PCSCBackend: ReaderBackend {
    package let scheme = "pcsc"
    package let summary = "a PC/SC reader with ISO 15693; pcsc:NAME for a reader whose name contains NAME"
    private let deadline: Duration

    /// A reader that does not answer one command within `deadline` counts as silent.
    package init(deadline: Duration = .seconds(2)) {
      self.deadline = deadline
    }

    /// Throws `libraryMissing`, `noDaemon`, `serviceStuck`, `accessDenied`, `noReader`, `noReaderNamed`,
    /// `readerLacks15693`.
    package func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
      guard address.scheme == scheme else { throw .unknownAddress(address.description) }
      let choice = PCSCChoice(part: address.rest)
      let thread = ReaderThread(scheme)
      let (session, name) = try await thread.perform(within: Self.startTimeout, orThrow: .noDaemon) {
        () throws(TransportError) in
        let session = try PCSCSession()
        return (session, try choice.readers(of: session.usableSlots().map(\.name))[0])
      }
      return PCSCReader(choice, name: name, session: session, thread: thread, deadline: deadline)
    }

    package func readers() async throws(TransportError) -> [FoundReader] {
      try await ReaderThread(scheme).perform(within: Self.startTimeout, orThrow: .noDaemon) {
        () throws(TransportError) in try PCSCSession().usableSlots().map(\.found)
      }
    }

    /// Lists the readers when PC/SC reports a change, and after each change on the USB: PC/SC does not take every
    /// reader.
    package func changes() -> ReaderChanges {
      ReaderChanges { continuation in
        await withTaskGroup(of: Void.self) { group in
          group.addTask { [self] in
            for await list in changes(
              on: ContinuousClock(), seen: { FileSystem.sortedNames(in: "/sys/bus/usb/devices") })
            { continuation.yield(list) }
          }
          group.addTask { [self] in await reports { continuation.yield($0) } }
        }
      }
    }

    /// Passes on each list that PC/SC reports, over restarts of its service.
    private func reports(_ pass: @Sendable (Result<[FoundReader], TransportError>) -> Void) async {
      while !Task.isCancelled {
        let pause: Duration
        do throws(TransportError) {
          try await reportsOfService { pass(.success($0)) }
        } catch .cancelled {
          return
        } catch {
          pass(.failure(error))
          // A question to polkit costs more than one to a service that does not run.
          pause = error == .accessDenied ? .seconds(30) : .milliseconds(500)
        }
        guard (try? await Task.sleep(for: pause)) != nil else { return }
      }
    }

    private func reportsOfService(_ pass: ([FoundReader]) -> Void) async throws(TransportError) -> Never {
      let thread = ReaderThread(scheme)
      let session = try await thread.perform(within: Self.startTimeout, orThrow: .noDaemon) {
        () throws(TransportError) in try PCSCSession()
      }
      var known: [PCSCSlot]?
      while true {
        let before = known
        let slots = try await thread.perform(
          within: Self.piece + deadline, orThrow: .readerSilent(name: PCSCSession.service),
          interrupt: { session.cancel() }
        ) { () throws(TransportError) in try session.slots(after: before ?? [], within: Self.piece) }
        if slots.map(\.found) != before?.map(\.found) { pass(slots.map(\.found)) }
        known = slots
      }
    }

    /// Length of one wait. A reader that comes between a list and the wait that follows does not end it.
    private static let piece = Duration.seconds(1)

    /// Timeout of the first call, which may start the service and its search for readers.
    private static let startTimeout = Duration.seconds(10)
  }
#endif
