// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import CGMModel
  import NFCTransport
  import Testing

  extension PCSCTests {
    @Suite("when the service or the reader fails")
    struct FaultTests {
      @Test("there is no service")
      func noDaemon() async throws {
        try PCSCDaemon.leadThisProcess(to: nil)
        await #expect(throws: TransportError.noDaemon) { try await PCSCBackend().open(.pcsc(name: nil)) }
        await #expect(throws: TransportError.noDaemon) { try await PCSCBackend().readers() }
      }

      @Test("there is no reader")
      func noReader() async throws {
        try await PCSCDaemon.runForThisProcess(readers: []) { _ in
          let readers = try await PCSCBackend().readers()
          #expect(readers.isEmpty)
          await #expect(throws: TransportError.noReader) { try await PCSCBackend().open(.pcsc(name: nil)) }
          await #expect(throws: TransportError.noReader) { try await PCSCBackend().open(.pcsc(name: "ACS")) }
        }
      }

      @Test("the service dies during a wait", .timeLimit(.minutes(1)))
      func deathWhileWaiting() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          try await withReader { reader in
            let wait = Task(executorPreference: OwnThreads.shared) { try await reader.waitForTag(within: .seconds(60)) }
            try await Task.sleep(for: .milliseconds(300))
            daemon.kill()
            await #expect(throws: TransportError.noDaemon) { try await wait.value }
            await #expect(throws: TransportError.noDaemon) { try await reader.waitForTag(within: .seconds(60)) }
          }
        }
      }

      @Test("the service dies during a read, and another takes its place", .timeLimit(.minutes(1)))
      func deathWhileReading() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          try await daemon.reader(0).insert(card())
          try await withReader { reader in
            try await reader.waitForTag(within: .seconds(20))
            #expect(try await reader.response(to: .inventory) == .inventory(uid))
            daemon.kill()
            await #expect(throws: TransportError.noDaemon) { try await reader.exchange(.readBlock(0)) }
          }
        }
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          try await daemon.reader(0).insert(card())
          try await withReader { reader in
            try await reader.waitForTag(within: .seconds(20))
            #expect(try await blocks(of: reader) == memory)
          }
        }
      }

      @Test("the reader does not come back from an exchange", .timeLimit(.minutes(1)))
      func hang() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          try await daemon.reader(0).insert(card(faults: [2: .hang]))
          let elapsed = try await ContinuousClock().measure {
            try await withReader(deadline: .milliseconds(300)) { reader in
              try await reader.waitForTag(within: .seconds(20))
              #expect(try await reader.response(to: .readBlock(0)) == .blocks(Array(memory.prefix(8))))
              let silent = TransportError.readerSilent(name: await reader.description.name)
              await #expect(throws: silent) { try await reader.exchange(.readBlock(1)) }
              await #expect(throws: silent) { try await reader.exchange(.readBlock(2)) }
              await #expect(throws: silent) { try await reader.waitForTag(within: .seconds(20)) }
            }
          }
          #expect(elapsed < .seconds(5))
        }
      }

      @Test("the reader does not come back, and the user has enough of it", .timeLimit(.minutes(1)))
      func cancelledHang() async throws {
        let card = card(faults: [1: .hang])
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          try await daemon.reader(0).insert(card)
          let reader = try await PCSCBackend(deadline: .milliseconds(500)).open(.pcsc(name: nil))
          try await reader.waitForTag(within: .seconds(20))
          let exchange = Task(executorPreference: OwnThreads.shared) { try await reader.exchange(.readBlock(0)) }
          while await card.carried.isEmpty { await Task.yield() }
          exchange.cancel()
          let elapsed = await ContinuousClock().measure {
            await #expect(throws: TransportError.cancelled) { try await exchange.value }
            await reader.close()
          }
          #expect(elapsed < .seconds(3))
        }
      }

      @Test("the tag is on a reader that understands no command for it")
      func noDialect() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          try await daemon.reader(0).insert(VirtualCard(nil, tag: nil, uid: uid.bytes))
          try await withReader { reader in
            try await reader.waitForTag(within: .seconds(20))
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
