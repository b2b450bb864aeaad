// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import CGMModel
  import NFCTransport
  import Synchronization
  import TestSupport
  import Testing

  extension PCSCTests {
    @Suite("waiting for it")
    struct WaitingTests {
      @Test("continues until a sensor arrives")
      func insertion() async throws {
        try await onReader { daemon, reader in
          async let wait: Void = reader.waitForTag(within: ample)
          try await daemon.waitsUntil(.wait, wasSeen: 2)
          try await daemon.reader(0).insert(card())
          try await wait
          #expect(try await blocks(of: reader) == memory)
        }
      }

      @Test("finds a sensor again that is still there after the field was off")
      func again() async throws {
        let card = card()
        try await onReader(with: card) { _, reader in
          try await reader.waitForTag(within: ample)
          #expect(try await reader.response(to: .inventory) == .inventory(uid))
          let before = await card.powerChanges.count
          try await reader.waitForTag(within: ample)
          #expect(await card.powerChanges.dropFirst(before) == [false, true])
          #expect(try await blocks(of: reader) == memory)
        }
      }

      @Test("for its removal ends when the sensor was removed, not before")
      func removal() async throws {
        try await onReader(with: card()) { daemon, reader in
          try await reader.waitForTag(within: ample)
          #expect(try await reader.response(to: .readBlock(0)) == .blocks(Array(memory.prefix(8))))
          let isTakenAway = Mutex(false)
          let looks = try daemon.count(of: .wait)
          async let wasTakenAway = {
            try await reader.waitForRemoval()
            return isTakenAway.withLock { $0 }
          }()
          // The wait is made of pieces. A whole one is over, and the sensor still there.
          try await daemon.waitsUntil(.wait, wasSeen: looks + 3)
          isTakenAway.withLock { $0 = true }
          daemon.reader(0).remove()
          #expect(try await wasTakenAway)
          await #expect(throws: TransportError.noTag) { try await reader.waitForTag(within: .zero) }
        }
      }

      @Test("continues with a sensor that was removed in the middle of a read and comes back")
      func lostAndFound() async throws {
        try await onReader(with: card(faults: [3: .removal])) { daemon, reader in
          try await reader.waitForTag(within: ample)
          await #expect(throws: TransportError.tagLost(block: 6)) { try await blocks(of: reader) }
          // pcscd may not have noticed yet.
          await #expect(throws: TransportError.noTag) { try await reader.waitForTag(within: .milliseconds(100)) }
          try await daemon.waitsUntil(.removal, wasSeen: 1)
          async let wait: Void = reader.waitForTag(within: ample)
          try await daemon.reader(0).insert(card())
          try await wait
          #expect(try await blocks(of: reader) == memory)
        }
      }

      @Test("continues with a sensor that was away for a moment between two exchanges")
      func swapped() async throws {
        try await onReader(with: card()) { daemon, reader in
          try await reader.waitForTag(within: ample)
          #expect(try await reader.response(to: .readBlock(0)) == .blocks(Array(memory.prefix(8))))
          try await daemon.reader(0).insert(card())
          await #expect(throws: TransportError.tagLost(block: 1)) { try await reader.exchange(.readBlock(1)) }
          try await reader.waitForTag(within: ample)
          #expect(try await blocks(of: reader) == memory)
        }
      }

      @Test("ignores a card of another kind that was there before, but not one that arrives or lies on a named reader")
      func otherCard() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          try await daemon.reader(0).insert(VirtualCard(atr: VirtualCard.pass))
          try await settles(on: [.otherCard, .nothing])
          try await withReader { reader in
            await #expect(throws: TransportError.noTag) { try await reader.waitForTag(within: .milliseconds(300)) }
            try await withReader("pcsc:1552") { named in
              await #expect(throws: TransportError.otherCard(atr: VirtualCard.pass)) {
                try await named.waitForTag(within: ample)
              }
            }
            daemon.reader(0).remove()
            try await settles(on: [.nothing, .nothing])
            let looks = try daemon.count(of: .wait)
            let wait = Task(executorPreference: OwnThreads.shared) { try await reader.waitForTag(within: ample) }
            // The first look shows the empty reader.
            try await daemon.waitsUntil(.wait, wasSeen: looks + 2)
            try await daemon.reader(0).insert(VirtualCard(atr: VirtualCard.pass))
            await #expect(throws: TransportError.otherCard(atr: VirtualCard.pass)) { try await wait.value }
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
            try await reader.waitForTag(within: ample)
            #expect(await reader.description.name.hasPrefix(other.name))
            #expect(try await blocks(of: reader) == memory)
          }
        }
      }

      @Test("accepts a tag of unknown kind as a sensor if its UID is a sensor's; CardUIDTests have its byte orders")
      func reticentTag() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          let card = VirtualCard(.acsPassThrough, tag: tag(), uid: uid.bytes, atr: VirtualCard.reticent)
          try await daemon.reader(0).insert(card)
          try await withReader { reader in
            try await reader.waitForTag(within: ample)
            #expect(try await reader.response(to: .inventory) == .inventory(uid))
          }
          daemon.reader(0).remove()
          try await settles(on: [.nothing, .nothing])
          try await daemon.reader(0).insert(VirtualCard(atr: VirtualCard.reticent))
          try await withReader("pcsc:1552") { reader in
            await #expect(throws: TransportError.otherCard(atr: VirtualCard.reticent)) {
              try await reader.waitForTag(within: ample)
            }
          }
        }
      }

      @Test("continues while another program uses the sensor, and names the reader if that takes long")
      func busy() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          try await daemon.reader(0).insert(card())
          let first = try await PCSCBackend(deadline: ample).open(.pcsc(name: nil))
          try await first.waitForTag(within: ample)
          try await withReader { second in
            let name = await first.description.name
            await #expect(throws: TransportError.readerBusy(name: name)) {
              try await second.waitForTag(within: .milliseconds(300))
            }
            #expect(try await PCSCBackend().readers().map(\.presence).contains(.busy))
            async let wait: Void = second.waitForTag(within: ample)
            await first.close()
            try await wait
            #expect(try await blocks(of: second) == memory)
          }
        }
      }

      @Test("ends at once when its task is cancelled")
      func cancelled() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
          let reader = try await PCSCBackend(deadline: ample).open(.pcsc(name: nil))
          let wait = Task(executorPreference: OwnThreads.shared) { try await reader.waitForTag(within: ample) }
          try await daemon.waitsUntil(.wait, wasSeen: 2)
          wait.cancel()
          await #expect(throws: TransportError.cancelled) { try await wait.value }
          // pcscd is asked to end the wait too.
          try await daemon.waitsUntil(.cancellation, wasSeen: 1)
          await reader.close()
          await #expect(throws: TransportError.cancelled) { try await reader.waitForTag(within: .zero) }
          await reader.close()
        }
      }
    }
  }
#endif
