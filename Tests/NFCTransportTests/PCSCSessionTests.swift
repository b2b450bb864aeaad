// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import CPCSC
  import Synchronization
  import Testing

  @testable import NFCTransport

  @Suite("A session with PC/SC", .serialized)
  struct PCSCSessionTests {
    private let reader = "ACS ACR1552 1S CL Reader PICC 00 00"
    private let other = "Identiv uTrust 3720 00 00"

    @Test("has a reader in its list that comes between the question for its length and the list")
    func readerComes() throws {
      let session = try ScriptedLibrary.session(.init(readers: [[reader], [reader, other]]))
      #expect(try session.readerNames() == [reader, other])
    }

    @Test("lists no reader without an error, also if the last one goes between the two questions")
    func noReader() throws {
      #expect(try ScriptedLibrary.session(.init(readers: [[]])).readerNames() == [])
      #expect(try ScriptedLibrary.session(.init(readers: [[reader], []])).readerNames() == [])
    }

    @Test("watches for readers that come while it waits, or a wait for none would be over at once")
    func watchesForReaders() throws {
      let session = try ScriptedLibrary.session(.init(status: LIBRE_PCSC_TIMEOUT))
      #expect(try session.look(at: [], within: .seconds(1)) == [])
      #expect(ScriptedLibrary.script.withLock { $0.watched.map(\.name) } == ["\\\\?PnP?\\Notification"])
    }

    @Test("waits for what differs from what was seen: the count of events is told, the mark of a change is not")
    func feedsBack() throws {
      let session = try ScriptedLibrary.session(.init(status: LIBRE_PCSC_TIMEOUT))
      let seen: UInt = 0x0007_0000 | LIBRE_PCSC_STATE_PRESENT | LIBRE_PCSC_STATE_CHANGED
      _ = try session.look(at: [PCSCSlot(name: reader, flags: seen)], within: .seconds(1))
      let watched = ScriptedLibrary.script.withLock { $0.watched }
      #expect(watched.first?.name == reader)
      #expect(watched.first?.known == 0x0007_0000 | LIBRE_PCSC_STATE_PRESENT)
    }

    @Test("says that it cannot tell, and not that it failed, when a reader goes while it waits")
    func readerGoes() throws {
      let session = try ScriptedLibrary.session(.init(status: LIBRE_PCSC_UNKNOWN_READER))
      #expect(try session.look(at: [PCSCSlot(name: reader)], within: .seconds(1)) == nil)
    }

    @Test("takes an answer of no bytes for a sensor that was taken away", arguments: [[], [0x90]] as [[UInt8]])
    func noBytes(_ answer: [UInt8]) async throws {
      let session = try ScriptedLibrary.session(.init(answer: answer))
      let channel = PCSCChannel(
        readerName: reader, session: session, thread: ReaderThread("test"), deadline: .seconds(3_600))
      try await channel.connect()
      await #expect(throws: TransportError.tagLost(block: nil)) { try await channel.transmit([0xFF, 0xCA, 0, 0, 0]) }
      await channel.disconnect()
    }
  }
#endif
