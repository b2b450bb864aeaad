// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import Testing

  @testable import NFCTransport

  @Suite("A PC/SC status")
  struct PCSCStatusTests {
    private func error(_ code: Int) -> TransportError? {
      PCSCStatus(code: code).error(at: "Reader 00 00") { _ in "In the library's words." }
    }

    @Test(
      "is mapped to its observed cause",
      arguments: [
        (0x8010_001D, .noDaemon), (0x8010_001E, .noDaemon), (0x8010_0013, .noDaemon), (0x8010_006A, .accessDenied),
        (0x8010_002E, .noReader), (0x8010_000C, .tagLost(block: nil)), (0x8010_0069, .tagLost(block: nil)),
        (0x8010_0016, .tagLost(block: nil)), (0x8010_0066, .tagLost(block: nil)), (0x8010_0067, .tagLost(block: nil)),
        (0x8010_0068, .tagLost(block: nil)), (0x8010_000B, .readerBusy(name: "Reader 00 00")),
        (0x8010_0017, .readerUnplugged(name: "Reader 00 00")), (0x8010_0009, .readerUnplugged(name: "Reader 00 00")),
        (0x8010_0002, .cancelled), (0x8010_000A, .noTag),
      ] as [(Int, TransportError)])
    func meaning(_ code: Int, _ expected: TransportError) {
      #expect(error(code) == expected)
    }

    @Test("is a success when it is zero")
    func success() { #expect(error(0) == nil) }

    @Test("is a failure of the reader with number and library message if the cause is unknown")
    func unknown() {
      #expect(
        error(0x8010_001F)
          == .readerFailed(name: "Reader 00 00", reason: "0x8010001F In the library's words."))
    }
  }
#endif
