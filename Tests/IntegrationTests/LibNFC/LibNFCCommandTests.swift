// SPDX-License-Identifier: Apache-2.0
#if LibNFC
  import CGMModel
  import NFCTransport
  import Libre1Core
  import TestSupport
  import Testing

  /// The built command with Debian's libnfc, on a PN532Killer played on a pseudo-terminal.
  @Suite("libre through libnfc", .onOwnThreads, LibNFCHere.library, .startsProcesses)
  struct LibNFCCommandTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test("read prints the same as decode for the same memory")
    func read() async throws {
      let image = try #require(Scenario.named("active")).image(seed: 7)
      let tag = SimulatedTag(memory: image.bytes, uid: try #require(image.uid), patchInfo: image.patchInfo)
      let device = try PN532Emulator(.killer, tag: tag)
      let outcome = try await sandbox.libre(["read", "--json", "--reader", "nfc:pn532_uart:\(device.port.path)"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let reading = try outcome.json()
      try sandbox.write(image.bytes, to: "dump.bin")
      let dump = try await sandbox.libre(["decode", "--json", "dump.bin"]).json()
      #expect(reading.measured == dump.measured)
      #expect(reading["sensor"]["uid"].text == image.uid?.description)
      #expect(reading["sensor"]["patch_info"].text == image.patchInfo?.description)
      #expect(reading["reader"]["dialect"] == .string("pn532killer"))
      #expect(await device.fieldIsOn == false)
    }
  }
#endif
