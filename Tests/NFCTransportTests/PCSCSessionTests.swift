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

    @Test("lists a reader that appears between the request for the list length and the list")
    func readerComes() throws {
      let session = try ScriptedLibrary.session(.init(readers: [[reader], [reader, other]]))
      #expect(try session.readerNames() == [reader, other])
    }

    @Test("returns an empty list without an error, also if the last reader goes between the two calls")
    func noReader() throws {
      #expect(try ScriptedLibrary.session(.init(readers: [[]])).readerNames() == [])
      #expect(try ScriptedLibrary.session(.init(readers: [[reader], []])).readerNames() == [])
    }

    @Test("watches for new readers while it waits, because a wait for none would end at once")
    func watchesForReaders() throws {
      let session = try ScriptedLibrary.session(.init(status: LIBRE_PCSC_TIMEOUT))
      #expect(try session.look(at: [], within: .seconds(1)) == [])
      #expect(ScriptedLibrary.script.withLock { $0.watched.map(\.name) } == ["\\\\?PnP?\\Notification"])
    }

    @Test("waits for a difference from the last state: it passes the event count, not the change flag")
    func feedsBack() throws {
      let session = try ScriptedLibrary.session(.init(status: LIBRE_PCSC_TIMEOUT))
      let seen: UInt = 0x0007_0000 | LIBRE_PCSC_STATE_PRESENT | LIBRE_PCSC_STATE_CHANGED
      _ = try session.look(at: [PCSCSlot(name: reader, flags: seen)], within: .seconds(1))
      let watched = ScriptedLibrary.script.withLock { $0.watched }
      #expect(watched.first?.name == reader)
      #expect(watched.first?.known == 0x0007_0000 | LIBRE_PCSC_STATE_PRESENT)
    }

    @Test("reports an unknown result, not a failure, when a reader goes while it waits")
    func readerGoes() throws {
      let session = try ScriptedLibrary.session(.init(status: LIBRE_PCSC_UNKNOWN_READER))
      #expect(try session.look(at: [PCSCSlot(name: reader)], within: .seconds(1)) == nil)
    }

    @Test("treats an empty answer as a removed sensor", arguments: [[], [0x90]] as [[UInt8]])
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
