// SPDX-License-Identifier: Apache-2.0
#if LibNFC
  import CGMModel
  import TestSupport
  import Testing

  @testable import NFCTransport

  /// Faults of the connection, with Debian's unmodified libnfc.
  @Suite("A PN532Killer through libnfc, with faults", .onOwnThreads, LibNFCHere.library, .startsProcesses)
  struct LibNFCFaultTests {
    /// The longest timeout that libnfc takes, for a device that answers.
    private func open(_ connstring: String, deadline: Duration = .seconds(60)) async throws -> any TagReader {
      try await LibNFCBackend(deadline: deadline).open(ReaderAddress(scheme: "nfc", rest: connstring))
    }

    // MARK: The device is not the right one, or not there

    @Test("a genuine PN532 is distinguished from a PN532Killer and refused, with its field off")
    func genuine() async throws {
      let device = try PN532Emulator(.genuine)
      let connstring = "pn532_uart:\(device.port.path)"
      await #expect(throws: TransportError.readerLacks15693(name: "PN532 (\(connstring))")) {
        try await open(connstring)
      }
      #expect(await !device.fieldIsOn)
      #expect(await device.exchangeCount == 0)
    }

    @Test(
      "an address of another libnfc driver, of a missing port or of nothing is refused with the reason",
      arguments: ["acr122_usb", "pn53x_usb:001:002"].map { ($0, TransportError.readerLacks15693(name: $0)) }
        + ["pn532_uart", "pn532_uart::115200", "", "nonsense:/dev/null"].map {
          ($0, .unknownAddress(ReaderAddress(scheme: "nfc", rest: $0).description))
        } + [("pn532_uart:/dev/ttyNone", .port(path: "/dev/ttyNone", .missing))])
    func address(_ connstring: String, _ error: TransportError) async {
      await #expect(throws: error) { try await open(connstring) }
    }

    @Test("the list of readers is always empty: libnfc is never asked to search for devices")
    func list() async throws { #expect(try await LibNFCBackend().readers().isEmpty) }

    @Test("a port without a device that answers is reported")
    func deadPort() async throws {
      let port = try PseudoTerminal()
      let connstring = "pn532_uart:\(port.path)"
      await #expect(
        throws: TransportError.readerFailed(name: connstring, reason: "no PN532 answers on \(port.path)")
      ) { try await open(connstring) }
    }

    @Test("a port that another program uses is reported")
    func busy() async throws {
      let device = try PN532Emulator(.killer)
      let connstring = "pn532_uart:\(device.port.path)"
      let reader = try await open(connstring)
      await #expect(throws: TransportError.port(path: device.port.path, .busy)) { try await open(connstring) }
      await reader.close()
      await (try open(connstring)).close()
    }

    @Test("a library that is missing, or is not libnfc, is reported")
    func library() throws {
      let none = LibNFCDevice(connstring: "none", port: "/dev/null", deadline: .zero, library: "libnfc.so.none")
      #expect(throws: TransportError.libraryMissing("libnfc.so.none")) {
        try none.open(address: "", while: { true })
      }
      let other = LibNFCDevice(connstring: "other", port: "/dev/null", deadline: .zero, library: "libm.so.6")
      #expect(throws: TransportError.readerFailed(name: "libm.so.6", reason: "it has no nfc_init")) {
        try other.open(address: "", while: { true })
      }
    }

    // MARK: An exchange goes wrong

    /// The results of a request whose answer was lost, and of the next request.
    private struct Spoilt: Equatable {
      var error: TransportError?
      var next: [UInt8]?

      static let expected = Spoilt(error: .tagSilent(block: 7), next: [0x00] + LibNFCReaderTests.memory[64..<72])
    }

    private func spoilt(by fault: PN532Emulator.Fault, deadline: Duration) async throws -> Spoilt {
      let device = try PN532Emulator(.killer, tag: LibNFCReaderTests.tag)
      let reader = try await open("pn532_uart:\(device.port.path)", deadline: deadline)
      try await reader.waitForTag(within: .zero)
      await device.spoil(1, with: fault)
      let error = await error { () async throws(TransportError) in _ = try await reader.exchange(.readBlock(7)) }
      // Bytes that come late may spoil the next answer too, which a second question then gets.
      var next = try? await reader.exchange(.readBlock(8))
      if fault == .late, next == nil { next = try? await reader.exchange(.readBlock(8)) }
      await reader.close()
      return Spoilt(error: error, next: next)
    }

    @Test(
      "a corrupted answer counts as silence of the sensor, and the next answer is correct",
      arguments: [PN532Emulator.Fault.silence, .wrongChecksum, .short, .overlong, .garbage])
    func spoilt(_ fault: PN532Emulator.Fault) async throws {
      #expect(try await spoilt(by: fault, deadline: .seconds(60)) == .expected)
    }

    @Test(
      "an answer that arrives too late counts as silence of the sensor, and the next answer is correct",
      arguments: [PN532Emulator.Fault.late, .mute])
    func missing(_ fault: PN532Emulator.Fault) async throws {
      try await GrowingTimeout.expect(.expected) { try await spoilt(by: fault, deadline: $0) }
    }

    @Test("a device that no longer answers is reported", arguments: [1, 2])
    func hang(_ exchange: Int) async throws {
      let silent: TransportError? = .readerSilent(name: "DEVICE")
      try await GrowingTimeout.expect([silent, silent]) { timeout in
        let device = try PN532Emulator(.killer, tag: LibNFCReaderTests.tag)
        let connstring = "pn532_uart:\(device.port.path)"
        let reader = try await open(connstring, deadline: timeout)
        await device.spoil(exchange, with: .hang)
        let errors = [
          await error { () async throws(TransportError) in
            try await reader.waitForTag(within: .zero)
            _ = try await reader.exchange(.readBlock(0))
          },
          await error { () async throws(TransportError) in try await reader.waitForRemoval() },
        ]
        await reader.close()
        return errors.map { $0 == .readerSilent(name: connstring) ? silent : $0 }
      }
    }

    @Test("a device that is unplugged is reported", arguments: [1, 2])
    func unplugged(_ exchange: Int) async throws {
      let device = try PN532Emulator(.killer, tag: LibNFCReaderTests.tag)
      let connstring = "pn532_uart:\(device.port.path)"
      let reader = try await open(connstring)
      await device.spoil(exchange, with: .unplugged)
      await #expect(throws: TransportError.readerUnplugged(name: connstring)) {
        try await reader.waitForTag(within: .zero)
        _ = try await reader.exchange(.readBlock(0))
      }
      await reader.close()
    }

    private func error(of work: () async throws(TransportError) -> Void) async -> TransportError? {
      do {
        try await work()
        return nil
      } catch {
        return error
      }
    }
  }
#endif
