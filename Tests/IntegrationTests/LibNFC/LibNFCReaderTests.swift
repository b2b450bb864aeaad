// SPDX-License-Identifier: Apache-2.0
#if LibNFC
  import CGMModel
  import Glibc
  import TestSupport
  import Testing

  @testable import NFCTransport

  /// libnfc as Debian ships it. Where it is not installed the tests of it are skipped, but never in CI.
  enum LibNFCHere {
    static var library: ConditionTrait {
      .enabled("libnfc6 is not installed") { Installed.isCI || dlopen("libnfc.so.6", RTLD_NOW) != nil }
    }
  }

  /// Debian's unmodified libnfc, with a PN532Killer on a pseudo-terminal in place of the device.
  @Suite("A PN532Killer through libnfc", .onOwnThreads, LibNFCHere.library, .startsProcesses)
  struct LibNFCReaderTests {
    static let uid = SensorUID(bits: 0xE007_A000_0025_905E)!
    static let patchInfo = PatchInfo([0xDF, 0, 0, 0x01, 0, 0])!
    static let memory = (0..<344).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    static let tag = SimulatedTag(memory: memory, uid: uid, patchInfo: patchInfo)

    private func open(
      _ device: PN532Emulator, clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> any TagReader {
      try await LibNFCBackend(deadline: .seconds(60), clock: clock).open(
        ReaderAddress(scheme: "nfc", rest: "pn532_uart:\(device.port.path)"))
    }

    private func commands(_ device: PN532Emulator) async -> [[UInt8]] {
      await device.frames.map { Array($0[5...].dropLast(2)) }
    }

    private static let plan = ReadPlan(sections: [0..<3, 3..<40, 40..<43]).requests

    // MARK: A clean read

    @Test("reads the whole memory of the sensor")
    func wholeMemory() async throws {
      let device = try PN532Emulator(.killer, tag: Self.tag)
      let reader = try await open(device)
      try await reader.waitForTag(within: .zero)
      #expect(try await reader.response(to: .inventory) == .inventory(Self.uid))
      #expect(try await reader.response(to: .patchInfo(.texasInstruments)) == .patchInfo(Self.patchInfo))
      #expect(try await reader.exchange(.systemInformation).suffix(2) == [42, 7])
      var memory: [UInt8] = []
      for request in Self.plan {
        let response = try await reader.response(to: request)
        if case .blocks(let blocks) = response { memory += blocks } else { Issue.record("\(request): \(response)") }
      }
      #expect(memory == Self.memory)
      #expect(await device.exchangeCount == 1 + 3 + 15)
      #expect(try await reader.response(to: .readBlock(43)) == .error(.blockNotAvailable))
      await reader.close()
    }

    @Test("sends the bytes that its maker documents")
    func wire() async throws {
      let device = try PN532Emulator(.killer, tag: Self.tag)
      let reader = try await open(device)
      try await reader.waitForTag(within: .zero)
      _ = try await reader.exchange(.readBlocks(ISO15693.BlockRun(first: 0, count: 3)!))
      await reader.close()
      let frames = await device.frames
      let inventory = try #require(
        frames.firstIndex(of: [
          0x00, 0x00, 0xFF, 0x09, 0xF7, 0xD4, 0x42, 0x80, 0x00, 0x26, 0x01, 0x00, 0xF6, 0x0A, 0x43, 0x00,
        ]))
      let commands = await commands(device)
      let checksumsByHost: [UInt8] = [0xD4, 0x08, 0x63, 0x02, 0x00, 0x63, 0x03, 0x00]
      #expect(commands[..<inventory].contains { $0.starts(with: checksumsByHost) })
      #expect(commands[inventory + 1] == [0xD4, 0x42, 0x80, 0x00, 0x02, 0x23, 0x00, 0x02, 0xE5, 0x0A])
      #expect(commands.filter { $0[1] == 0xAA } == [[0xD4, 0xAA]])
      // Whatever libnfc does with the tag by itself goes out as one of these.
      #expect(
        commands.allSatisfy { [0x00, 0x02, 0x06, 0x08, 0x12, 0x14, 0x16, 0x32, 0x42, 0x52, 0xAA].contains($0[1]) })
    }

    @Test("switches the field off, releases the port, and can be closed twice")
    func close() async throws {
      let device = try PN532Emulator(.killer, tag: Self.tag)
      for _ in 0..<2 {
        let reader = try await open(device)
        #expect(await device.fieldIsOn)
        try await reader.waitForTag(within: .zero)
        await reader.close()
        #expect(await !device.fieldIsOn)
        await reader.close()
        await #expect(throws: TransportError.self) { try await reader.exchange(.inventory) }
      }
    }

    // MARK: Waiting

    @Test("waits one minute for a sensor, searches for it five times a second, and finds one that arrives late")
    func late() async throws {
      let device = try PN532Emulator(.killer)
      let clock = SleptClock()
      let reader = try await open(device, clock: clock)
      await #expect(throws: TransportError.noTag) { try await reader.waitForTag(within: .seconds(60)) }
      #expect(clock.now.slept == .seconds(60))
      #expect(await device.exchangeCount == 301)
      await device.after(10, .put(Self.tag))
      try await reader.waitForTag(within: .seconds(60))
      #expect(clock.now.slept == .seconds(62))
      #expect(try await reader.response(to: .inventory) == .inventory(Self.uid))
      await reader.close()
    }

    @Test("reports a sensor as removed after three inventories in a row without an answer")
    func removal() async throws {
      let device = try PN532Emulator(.killer, tag: Self.tag)
      let reader = try await open(device, clock: SleptClock())
      try await reader.waitForTag(within: .zero)
      for number in [2, 3, 5] { await device.spoil(number, with: .silence) }
      await device.after(6, .take)
      try await reader.waitForRemoval()
      #expect(await device.exchangeCount == 1 + 6 + 3)
      await reader.close()
    }
  }
#endif
