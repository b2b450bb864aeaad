// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import CGMModel
  import NFCTransport
  import SensorSimulator
  import Testing

  extension PCSCTests {
    @Suite("waiting for it")
    struct WaitingTests {
      @Test("goes on until a sensor comes")
      func insertion() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          try await withReader { reader in
            async let wait: Void = reader.waitForTag(within: .seconds(20))
            try await daemon.reader(0).insert(card())
            try await wait
            #expect(try await blocks(of: reader) == memory)
          }
        }
      }

      @Test("ends when the time is over")
      func nothing() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good]) { _ in
          try await withReader { reader in
            let elapsed = await ContinuousClock().measure {
              await #expect(throws: TransportError.noTag) { try await reader.waitForTag(within: .milliseconds(1200)) }
            }
            #expect((.milliseconds(1200) ..< .seconds(3)).contains(elapsed))
          }
        }
      }

      @Test("starts afresh with a sensor that is still there: the field is switched off between")
      func again() async throws {
        let card = card()
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          try await daemon.reader(0).insert(card)
          try await withReader { reader in
            try await reader.waitForTag(within: .seconds(20))
            #expect(try await reader.response(to: .inventory) == .inventory(uid))
            let before = await card.powerChanges.count
            try await reader.waitForTag(within: .seconds(20))
            #expect(await card.powerChanges.dropFirst(before) == [false, true])
            #expect(try await blocks(of: reader) == memory)
          }
          #expect(await card.powerChanges.last == false)
        }
      }

      @Test("does not probe a reader twice")
      func rememberedDialect() async throws {
        let card = card(.identiv)
        try await PCSCDaemon.runForThisProcess(readers: [.init(name: "Remembered")]) { daemon in
          try await daemon.reader(0).insert(card)
          func commandsOfOneRead() async throws -> [[UInt8]] {
            let before = await card.commands.count
            try await withReader { reader in
              try await reader.waitForTag(within: .seconds(20))
              #expect(try await reader.response(to: .readBlock(0)) == .blocks(Array(memory.prefix(8))))
            }
            return await Array(card.commands.dropFirst(before))
          }
          #expect(try await commandsOfOneRead().count > 1)
          #expect(try await commandsOfOneRead() == [[0xFF, 0xFC, 0x00, 0x00, 0x02, 0x20, 0x00, 0x00]])
        }
      }

      @Test("is over when the sensor has been taken away")
      func removal() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          try await daemon.reader(0).insert(card())
          try await withReader { reader in
            try await reader.waitForTag(within: .seconds(20))
            #expect(try await reader.response(to: .readBlock(0)) == .blocks(Array(memory.prefix(8))))
            let clock = ContinuousClock()
            async let end = {
              try await reader.waitForRemoval(); return clock.now
            }()
            try await Task.sleep(for: .milliseconds(1500))
            let removal = clock.now
            daemon.reader(0).remove()
            let noticed = try await end
            #expect(noticed > removal)
            await #expect(throws: TransportError.noTag) { try await reader.waitForTag(within: .zero) }
          }
        }
      }

      @Test("goes on with a sensor that was taken away in the middle of a read and comes back")
      func lostAndFound() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          try await daemon.reader(0).insert(card(faults: [3: .removal]))
          try await withReader { reader in
            try await reader.waitForTag(within: .seconds(20))
            await #expect(throws: TransportError.tagLost(block: 6)) { try await blocks(of: reader) }
            // pcscd may not have noticed yet.
            await #expect(throws: TransportError.noTag) { try await reader.waitForTag(within: .milliseconds(600)) }
            async let wait: Void = reader.waitForTag(within: .seconds(20))
            try await daemon.reader(0).insert(card())
            try await wait
            #expect(try await blocks(of: reader) == memory)
          }
        }
      }

      @Test("goes on with a sensor that was away for a moment between two exchanges")
      func swapped() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          try await daemon.reader(0).insert(card())
          try await withReader { reader in
            try await reader.waitForTag(within: .seconds(20))
            #expect(try await reader.response(to: .readBlock(0)) == .blocks(Array(memory.prefix(8))))
            try await daemon.reader(0).insert(card())
            await #expect(throws: TransportError.tagLost(block: 1)) { try await reader.exchange(.readBlock(1)) }
            try await reader.waitForTag(within: .seconds(20))
            #expect(try await blocks(of: reader) == memory)
          }
        }
      }

      @Test("passes over a card of another kind that lay there before, but not one that comes")
      func otherCard() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          try await daemon.reader(0).insert(VirtualCard(atr: VirtualCard.pass))
          try await settles(on: [.otherCard, .nothing])
          try await withReader { reader in
            await #expect(throws: TransportError.noTag) { try await reader.waitForTag(within: .milliseconds(300)) }
            daemon.reader(0).remove()
            try await settles(on: [.nothing, .nothing])
            let wait = Task(executorPreference: OwnThreads.shared) { try await reader.waitForTag(within: .seconds(20)) }
            // The wait has to have seen the empty reader.
            try await Task.sleep(for: .milliseconds(100))
            try await daemon.reader(0).insert(VirtualCard(atr: VirtualCard.pass))
            await #expect(throws: TransportError.otherCard(atr: VirtualCard.pass)) { try await wait.value }
          }
        }
      }

      @Test("names a card of another kind at once on the reader that was asked for")
      func otherCardOnNamedReader() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          try await daemon.reader(0).insert(VirtualCard(atr: VirtualCard.pass))
          try await withReader("pcsc:1552") { reader in
            await #expect(throws: TransportError.otherCard(atr: VirtualCard.pass)) {
              try await reader.waitForTag(within: .seconds(20))
            }
          }
        }
      }

      @Test("finds the sensor on one reader while a card lies on another")
      func twoReaders() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good, other]) { daemon in
          try await daemon.reader(0).insert(VirtualCard(atr: VirtualCard.pass))
          try await settles(on: [.otherCard, .nothing, .nothing, .nothing])
          try await daemon.reader(1).insert(card())
          try await withReader { reader in
            try await reader.waitForTag(within: .seconds(20))
            #expect(await reader.description.name.hasPrefix(other.name))
            #expect(try await blocks(of: reader) == memory)
          }
        }
      }

      @Test("takes a tag that says nothing of its kind for a sensor if its UID is one's, in either order")
      func reticentTag() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          for uidBytes in [uid.bytes, uid.bytes.reversed()] {
            let card = VirtualCard(.acsPassThrough, tag: tag(), uid: uidBytes, atr: VirtualCard.reticent)
            try await daemon.reader(0).insert(card)
            try await withReader { reader in
              try await reader.waitForTag(within: .seconds(20))
              #expect(try await reader.response(to: .inventory) == .inventory(uid))
              #expect(try await blocks(of: reader) == memory)
            }
          }
          daemon.reader(0).remove()
          try await settles(on: [.nothing, .nothing])
          try await daemon.reader(0).insert(VirtualCard(atr: VirtualCard.reticent))
          try await withReader("pcsc:1552") { reader in
            await #expect(throws: TransportError.otherCard(atr: VirtualCard.reticent)) {
              try await reader.waitForTag(within: .seconds(20))
            }
          }
        }
      }

      @Test("goes on while another program has the sensor, and names the reader if that lasts")
      func busy() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          try await daemon.reader(0).insert(card())
          let first = try await PCSCBackend().open(.pcsc(name: nil))
          try await first.waitForTag(within: .seconds(20))
          try await withReader { second in
            let name = await first.description.name
            await #expect(throws: TransportError.readerBusy(name: name)) {
              try await second.waitForTag(within: .milliseconds(300))
            }
            #expect(try await PCSCBackend().readers().map(\.presence).contains(.busy))
            async let wait: Void = second.waitForTag(within: .seconds(20))
            await first.close()
            try await wait
            #expect(try await blocks(of: second) == memory)
          }
        }
      }

      @Test("ends at once when its task is cancelled")
      func cancelled() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good]) { _ in
          let reader = try await PCSCBackend().open(.pcsc(name: nil))
          let wait = Task(executorPreference: OwnThreads.shared) { try await reader.waitForTag(within: .seconds(60)) }
          try await Task.sleep(for: .milliseconds(300))
          let elapsed = await ContinuousClock().measure {
            wait.cancel()
            await #expect(throws: TransportError.cancelled) { try await wait.value }
            await reader.close()
          }
          #expect(elapsed < .milliseconds(900))
          await #expect(throws: TransportError.cancelled) { try await reader.waitForTag(within: .zero) }
          await reader.close()
        }
      }
    }
  }
#endif
