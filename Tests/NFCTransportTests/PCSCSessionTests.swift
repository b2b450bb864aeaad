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

    @Test("lists a reader that comes between the request for the list length and the list, and none that goes then")
    func readerComes() throws {
      for (lists, expected) in [
        ([[reader], [reader, other]], [reader, other]), ([[]], []), ([[reader], []], []),
      ] as [([[String]], [String])] {
        #expect(try ScriptedLibrary.session(.init(readers: lists)).readerNames() == expected)
      }
    }

    @Test("watches for new readers while it waits, and for a difference from the last event count, not the change flag")
    func watches() throws {
      let session = try ScriptedLibrary.session(.init(status: LIBRE_PCSC_TIMEOUT))
      // A wait for no reader would end at once.
      #expect(try session.look(at: [], within: .seconds(1)) == [])
      #expect(ScriptedLibrary.script.withLock { $0.watched.map(\.name) } == ["\\\\?PnP?\\Notification"])
      let seen: UInt = 0x0007_0000 | LIBRE_PCSC_STATE_PRESENT | LIBRE_PCSC_STATE_CHANGED
      _ = try session.look(at: [PCSCSlot(name: reader, flags: seen)], within: .seconds(1))
      let watched = ScriptedLibrary.script.withLock { $0.watched.first }
      #expect(watched?.name == reader && watched?.known == 0x0007_0000 | LIBRE_PCSC_STATE_PRESENT)
      // A reader that goes while it waits is an unknown result, not a failure.
      let gone = try ScriptedLibrary.session(.init(status: LIBRE_PCSC_UNKNOWN_READER))
      #expect(try gone.look(at: [PCSCSlot(name: reader)], within: .seconds(1)) == nil)
    }

    @Test("leaves out readers that were unplugged, and is stuck if the service goes on to show nothing else")
    func unplugged() async throws {
      func session(_ lists: [[String]]) throws -> PCSCSession {
        try ScriptedLibrary.session(.init(readers: lists, status: LIBRE_PCSC_TIMEOUT, gone: [reader]))
      }
      #expect(try session([[reader, other]]).usableSlots().map(\.name) == [other])
      let removed = try session([[reader], [reader], [reader], []])
      #expect(try removed.usableSlots(patience: .seconds(3_600)) == [])
      #expect(throws: TransportError.serviceStuck(reader: reader)) {
        try session([[reader]]).usableSlots(patience: .zero)
      }

      func error(_ list: [String]) async throws -> TransportError? {
        let pcsc = PCSCReader(
          PCSCChoice(part: nil), name: reader, session: try session([list]), thread: ReaderThread("test"),
          deadline: .seconds(3_600))
        return await #expect(throws: TransportError.self) { try await pcsc.waitForTag(within: .zero) }
      }
      #expect(try await error([reader]) == .readerUnplugged(name: reader))
      #expect(try await error([reader, other]) == .noTag)
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

  @Suite("A PC/SC status")
  struct PCSCStatusTests {
    @Test(
      "is mapped to its observed cause, or to its number and the library's words",
      arguments: [
        (0x8010_001D, .noDaemon), (0x8010_001E, .noDaemon), (0x8010_0013, .noDaemon), (0x8010_006A, .accessDenied),
        (0x8010_002E, .noReader), (0x8010_000C, .tagLost(block: nil)), (0x8010_0069, .tagLost(block: nil)),
        (0x8010_0016, .tagLost(block: nil)), (0x8010_0066, .tagLost(block: nil)), (0x8010_0067, .tagLost(block: nil)),
        (0x8010_0068, .tagLost(block: nil)), (0x8010_000B, .readerBusy(name: "Reader 00 00")),
        (0x8010_0017, .readerUnplugged(name: "Reader 00 00")), (0x8010_0009, .readerUnplugged(name: "Reader 00 00")),
        (0x8010_0002, .cancelled), (0x8010_000A, .noTag), (0, nil),
        (0x8010_001F, .readerFailed(name: "Reader 00 00", reason: "0x8010001F In the library's words.")),
      ] as [(Int, TransportError?)])
    func meaning(_ code: Int, _ expected: TransportError?) {
      #expect(PCSCStatus(code: code).error(at: "Reader 00 00") { _ in "In the library's words." } == expected)
    }
  }

  @Suite("The PC/SC readers of an address")
  struct PCSCChoiceTests {
    static let picc = "ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader PICC] 00 00"
    static let sam = "ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader SAM] 00 01"
    static let old = "ACS ACR122U PICC Interface 01 00"
    static let unheardOf = "Some Reader 02 00"

    @Test(
      "are those with a matching name, or all, without those known to lack ISO 15693",
      arguments: [
        (nil, [picc, unheardOf]), ("acr1552", [picc]), ("ACS", [picc]), ("some reader", [unheardOf]),
        (unheardOf, [unheardOf]), (picc, [picc]),
      ] as [(String?, [String])])
    func meant(_ part: String?, _ expected: [String]) throws {
      #expect(try PCSCChoice(part: part).readers(of: [Self.old, Self.picc, Self.sam, Self.unheardOf]) == expected)
    }

    @Test(
      "are listed in the error if none is suitable",
      arguments: [
        (nil, [], .noReader), ("ACS", [], .noReader),
        ("HID", [old, picc], .noReaderNamed("HID", present: [old, picc])),
        (nil, [old], .readerLacks15693(name: old)), ("acr122", [picc, old], .readerLacks15693(name: old)),
      ] as [(String?, [String], TransportError)])
    func none(_ part: String?, _ names: [String], _ error: TransportError) {
      #expect(throws: error) { try PCSCChoice(part: part).readers(of: names) }
    }
  }
#endif
