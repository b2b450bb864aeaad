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

      @Test("the service stops during a read, and another one starts")
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
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          try await daemon.reader(0).insert(card())
          try await withReader { reader in
            try await reader.waitForTag(within: ample)
            #expect(try await blocks(of: reader) == memory)
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

      @Test("the reader does not answer, and the user cancels")
      func cancelledHang() async throws {
        let card = card(faults: [1: .hang])
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          try await daemon.reader(0).insert(card)
          let reader = try await PCSCBackend(deadline: ample).open(.pcsc(name: nil))
          try await reader.waitForTag(within: ample)
          let exchange = Task(executorPreference: OwnThreads.shared) { try await reader.exchange(.readBlock(0)) }
          try await eventually("the card was asked") { await !card.carried.isEmpty }
          exchange.cancel()
          // The reader still hangs, and nothing else ends the exchange.
          await #expect(throws: TransportError.cancelled) { try await exchange.value }
          async let end: Void = reader.close()
          daemon.kill()
          await end
        }
      }

      @Test("the reader supports no command for the kind of tag on it")
      func noDialect() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          try await daemon.reader(0).insert(VirtualCard(nil, tag: nil, uid: uid.bytes))
          try await withReader { reader in
            try await reader.waitForTag(within: ample)
            let name = await reader.description.name
            await #expect(throws: TransportError.readerLacks15693(name: name)) {
              try await reader.exchange(.readBlock(0))
            }
          }
        }
      }
    }
  }
#endif
