// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import CGMModel
  import NFCTransport
  import TestSupport
  import Testing

  extension PCSCTests {
    @Suite("when the service or the reader fails")
    struct FaultTests {
      @Test("the PC/SC service is not running")
      func noDaemon() async throws {
        try PCSCDaemon.leadThisProcess(to: nil)
        await #expect(throws: TransportError.noDaemon) { try await PCSCBackend().open(.pcsc(name: nil)) }
        await #expect(throws: TransportError.noDaemon) { try await PCSCBackend().readers() }
      }

      @Test("no reader is connected")
      func noReader() async throws {
        try await PCSCDaemon.runForThisProcess(readers: []) { _ in
          let readers = try await PCSCBackend().readers()
          #expect(readers.isEmpty)
          await #expect(throws: TransportError.noReader) { try await PCSCBackend().open(.pcsc(name: nil)) }
          await #expect(throws: TransportError.noReader) { try await PCSCBackend().open(.pcsc(name: "ACS")) }
        }
      }

      @Test("the service stops during a wait")
      func deathWhileWaiting() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          try await withReader { reader in
            let wait = Task(executorPreference: OwnThreads.shared) { try await reader.waitForTag(within: ample) }
            try await daemon.waitsUntil(.wait, wasSeen: 2)
            daemon.kill()
            await #expect(throws: TransportError.noDaemon) { try await wait.value }
            await #expect(throws: TransportError.noDaemon) { try await reader.waitForTag(within: ample) }
          }
        }
      }

      @Test("the service stops during a read")
      func deathWhileReading() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          try await daemon.reader(0).insert(card())
          try await withReader { reader in
            try await reader.waitForTag(within: ample)
            #expect(try await reader.response(to: .inventory) == .inventory(uid))
            daemon.kill()
            await #expect(throws: TransportError.noDaemon) { try await reader.exchange(.readBlock(0)) }
          }
        }
      }

      /// The results of an exchange, of the next two that were never answered, and of a wait.
      private struct Outcome: Equatable {
        var first: ISO15693.Response?
        var errors: [TransportError?]
      }

      @Test("the reader does not answer an exchange")
      func hang() async throws {
        let silent = TransportError.readerSilent(name: good.name + " 00 00")
        let expected = Outcome(first: .blocks(Array(memory.prefix(8))), errors: [silent, silent, silent])
        try await GrowingTimeout.expect(expected) { timeout in
          try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
            try await daemon.reader(0).insert(card(faults: [2: .hang]))
            return try await withReader(deadline: timeout) { reader in
              try await reader.waitForTag(within: ample)
              return Outcome(
                first: try await reader.response(to: .readBlock(0)),
                errors: [
                  await error { () async throws(TransportError) in _ = try await reader.exchange(.readBlock(1)) },
                  await error { () async throws(TransportError) in _ = try await reader.exchange(.readBlock(2)) },
                  await error { () async throws(TransportError) in try await reader.waitForTag(within: ample) },
                ])
            }
          }
        }
      }

      private func error(of work: () async throws(TransportError) -> Void) async -> TransportError? {
        do {
          try await work()
          return nil
        } catch {
          return error
        }
      }
    }
  }
#endif
