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

      @Test("an address fits no reader: the error lists them all; one that fits chooses")
      func choice() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good, other]) { daemon in
          try await daemon.reader(0).insert(card())
          try await daemon.reader(1).insert(card())
          try await settles(on: [.iso15693, .iso15693, .nothing, .nothing])
          try await withReader("pcsc:hid") { reader in
            try await reader.waitForTag(within: ample)
            let description = await reader.description
            #expect(description.address == "pcsc:hid" && description.name.hasPrefix(other.name))
          }
          let present = try await PCSCBackend().readers().map(\.name)
          await #expect(throws: TransportError.noReaderNamed("SpringCard", present: present)) {
            try await PCSCBackend().open(.pcsc(name: "SpringCard"))
          }
        }
      }

      @Test("the service stops during a wait")
      func deathWhileWaiting() async throws {
        try await onReader { daemon, reader in
          let wait = Task(executorPreference: OwnThreads.shared) { try await reader.waitForTag(within: ample) }
          try await daemon.waitsUntil(.wait, wasSeen: 2)
          daemon.kill()
          await #expect(throws: TransportError.noDaemon) { try await wait.value }
          await #expect(throws: TransportError.noDaemon) { try await reader.waitForTag(within: ample) }
        }
      }

      @Test("the service stops during a read")
      func deathWhileReading() async throws {
        try await onReader(with: card()) { daemon, reader in
          try await reader.waitForTag(within: ample)
          #expect(try await reader.response(to: .inventory) == .inventory(uid))
          daemon.kill()
          await #expect(throws: TransportError.noDaemon) { try await reader.exchange(.readBlock(0)) }
        }
      }

      @Test("the reader does not answer an exchange")
      func hang() async throws {
        let silent = TransportError.readerSilent(name: good.name + " 00 00")
        try await GrowingTimeout.expect(silent as TransportError?) { timeout in
          try await onReader(with: card(faults: [2: .hang]), deadline: timeout) { _, reader in
            try await reader.waitForTag(within: ample)
            _ = try await reader.exchange(.readBlock(0))
            do throws(TransportError) {
              _ = try await reader.exchange(.readBlock(1))
              return nil
            } catch {
              return error
            }
          }
        }
      }
    }
  }
#endif
