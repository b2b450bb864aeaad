// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import CGMModel
  import NFCTransport
  import TestSupport
  import Testing

  /// Everything that reaches a pcscd from the test process itself: one daemon after the other.
  @Suite("A sensor on a PC/SC reader", .onOwnThreads, .serialized, .needsPCSCDaemon, .startsProcesses)
  struct PCSCTests {
    static let uid = SensorUID(bits: 0xE007_A000_0025_905E)!
    static let memory = (0..<344).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    static let patchInfo = PatchInfo([0xDF, 0, 0, 0x01, 0, 0])!
    static let good = VirtualReader.Spec(name: "ACS ACR1552 1S CL Reader PICC")
    static let other = VirtualReader.Spec(name: "HID Global OMNIKEY 5022 Smart Card Reader")

    static func tag() -> SimulatedTag { SimulatedTag(memory: memory, uid: uid, patchInfo: patchInfo) }

    static func card(
      _ dialect: VirtualCard.Dialect = .transparentSession, faults: [Int: VirtualCard.Fault] = [:]
    ) -> VirtualCard {
      VirtualCard(dialect, tag: tag(), uid: uid.bytes, faults: faults)
    }

    /// Enough for an exchange on any machine, however busy.
    static let ample = Duration.seconds(600)

    /// Opens a reader, hands it to `body`, and always closes it.
    @discardableResult static func withReader<Value>(
      _ address: String = "pcsc", deadline: Duration = ample, _ body: (any TagReader) async throws -> Value
    ) async throws -> Value {
      let reader = try await PCSCBackend(deadline: deadline).open(ReaderAddress(address))
      do {
        let value = try await body(reader)
        await reader.close()
        return value
      } catch {
        await reader.close()
        throw error
      }
    }

    /// The same on a daemon with one reader, with a card on it or none.
    @discardableResult static func onReader<Value>(
      with card: VirtualCard? = nil, deadline: Duration = ample,
      _ body: (PCSCDaemon, any TagReader) async throws -> Value
    ) async throws -> Value {
      try await PCSCDaemon.runForThisProcess(readers: [good]) { daemon in
        if let card { try await daemon.reader(0).insert(card) }
        return try await withReader(deadline: deadline) { reader in try await body(daemon, reader) }
      }
    }

    /// Waits until the readers show this, in any order.
    static func settles(on presences: [FoundReader.Presence]) async throws {
      let sorted = { @Sendable (presences: [FoundReader.Presence]) in presences.map(\.rawValue).sorted() }
      try await eventually("the readers show \(sorted(presences))") {
        sorted(try await PCSCBackend().readers().map(\.presence)) == sorted(presences)
      }
    }

    /// All blocks of the sensor, three at a time if the reader can carry that.
    static func blocks(of reader: any TagReader) async throws -> [UInt8] {
      var memory: [UInt8] = []
      for first in stride(from: 0, to: 43, by: 3) {
        let blocks = first..<min(first + 3, 43)
        let run = ISO15693.BlockRun(first: first, count: blocks.count)!
        switch try await reader.response(to: .readBlocks(run)) {
        case .blocks(let bytes): memory += bytes
        default:
          for block in blocks {
            guard case .blocks(let bytes) = try await reader.response(to: .readBlock(UInt8(block))) else { break }
            memory += bytes
          }
        }
      }
      return memory
    }

    @Test("is read through any kind of reader", arguments: VirtualCard.Dialect.allCases)
    func dialects(_ dialect: VirtualCard.Dialect) async throws {
      let card = Self.card(dialect)
      // A name of its own, so that no other reader's dialect is remembered for it.
      try await PCSCDaemon.runForThisProcess(readers: [.init(name: "Reader with \(dialect.rawValue)")]) { daemon in
        try await daemon.reader(0).insert(card)
        try await Self.withReader { reader in
          #expect(await reader.description.dialect == "unknown")
          try await reader.waitForTag(within: Self.ample)
          #expect(try await reader.response(to: .inventory) == .inventory(Self.uid))
          #expect(try await Self.blocks(of: reader) == Self.memory)
          let patchInfo = try await reader.response(to: .patchInfo(.texasInstruments))
          #expect(patchInfo == (dialect == .readBinary ? .error(.notSupported) : .patchInfo(Self.patchInfo)))
          let description = await reader.description
          #expect(description.address == "pcsc")
          #expect(description.name.hasPrefix("Reader with \(dialect.rawValue) "))
          #expect(description.dialect == dialect.rawValue)
        }
      }
      let carried = await card.carried
      #expect(carried.count { $0 == .blocks } == (dialect == .readBinary ? 0 : 15))
      #expect(carried.count { $0 == .block } == (dialect == .readBinary ? 43 : 0))
      #expect(carried.count { $0 == .patchInfo } == (dialect == .readBinary ? 0 : 1))
      #expect(carried.count == (dialect == .readBinary ? 43 : 16))
    }
  }
#endif
