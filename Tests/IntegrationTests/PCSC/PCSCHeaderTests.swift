// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import TestSupport
  import Testing

  @Suite("Our declarations of libpcsclite", .onOwnThreads, .needsHeaders(.pcsc), .startsProcesses)
  struct PCSCHeaderTests {
    /// The functions that have a structure among their arguments: the real type is spelt out, and ours compared with it
    /// by layout.
    static let comparison = """
      #include <winscard.h>
      #include "shim.h"

      long (*const look)(long, unsigned long, SCARD_READERSTATE *, unsigned long) = SCardGetStatusChange;
      long (*const transmit)(
        long, const SCARD_IO_REQUEST *, const unsigned char *, unsigned long, SCARD_IO_REQUEST *, unsigned char *,
        unsigned long *) = SCardTransmit;
      const __typeof__(((struct libre_pcsc *)0)->SCardGetStatusChange) our_look =
        (long (*)(long, unsigned long, struct libre_pcsc_reader_state *, unsigned long))0;
      const __typeof__(((struct libre_pcsc *)0)->SCardTransmit) our_transmit =
        (long (*)(long, const struct libre_pcsc_protocol *, const unsigned char *, unsigned long,
          struct libre_pcsc_protocol *, unsigned char *, unsigned long *))0;

      #define SAME_FIELD(OURS, FIELD, THEIRS, THEIR_FIELD) \\
        _Static_assert(offsetof(struct OURS, FIELD) == offsetof(THEIRS, THEIR_FIELD), #FIELD); \\
        _Static_assert(sizeof(((struct OURS *)0)->FIELD) == sizeof(((THEIRS *)0)->THEIR_FIELD), #FIELD)
      _Static_assert(sizeof(struct libre_pcsc_reader_state) == sizeof(SCARD_READERSTATE), "reader state");
      SAME_FIELD(libre_pcsc_reader_state, name, SCARD_READERSTATE, szReader);
      SAME_FIELD(libre_pcsc_reader_state, user_data, SCARD_READERSTATE, pvUserData);
      SAME_FIELD(libre_pcsc_reader_state, known, SCARD_READERSTATE, dwCurrentState);
      SAME_FIELD(libre_pcsc_reader_state, now, SCARD_READERSTATE, dwEventState);
      SAME_FIELD(libre_pcsc_reader_state, atr_length, SCARD_READERSTATE, cbAtr);
      SAME_FIELD(libre_pcsc_reader_state, atr, SCARD_READERSTATE, rgbAtr);
      _Static_assert(sizeof(struct libre_pcsc_protocol) == sizeof(SCARD_IO_REQUEST), "protocol");
      SAME_FIELD(libre_pcsc_protocol, number, SCARD_IO_REQUEST, dwProtocol);
      SAME_FIELD(libre_pcsc_protocol, length, SCARD_IO_REQUEST, cbPciLength);

      """

    /// libpcsclite's name for one of our numbers.
    private func theirName(_ name: String) -> String {
      let rest = String(name.dropFirst("LIBRE_PCSC_".count))
      let others = [
        "SUCCESS": "SCARD_S_SUCCESS", "COMMUNICATION_FAILED": "SCARD_F_COMM_ERROR", "NO_CARD": "SCARD_E_NO_SMARTCARD",
        "PROTOCOL_MISMATCH": "SCARD_E_PROTO_MISMATCH", "NO_READERS": "SCARD_E_NO_READERS_AVAILABLE",
        "SECURITY_VIOLATION": "SCARD_W_SECURITY_VIOLATION", "EXCLUSIVE": "SCARD_SHARE_EXCLUSIVE",
        "DIRECT": "SCARD_SHARE_DIRECT",
        "LEAVE": "SCARD_LEAVE_CARD", "UNPOWER": "SCARD_UNPOWER_CARD", "LONGEST_ATR": "MAX_ATR_SIZE",
        "LONGEST_ANSWER": "MAX_BUFFER_SIZE",
      ]
      if let other = others[rest] { return other }
      if rest.hasSuffix("_CARD") { return "SCARD_W_" + rest }
      return (["SCOPE_", "PROTOCOL_", "STATE_"].contains { rest.hasPrefix($0) } ? "SCARD_" : "SCARD_E_") + rest
    }

    @Test("match its header")
    func same() throws {
      let pcsc = HeaderComparison.pcsc
      let source =
        try Self.comparison
        + pcsc.functions(of: "libre_pcsc", except: ["SCardGetStatusChange", "SCardTransmit"]) + pcsc.numbers(theirName)
      #expect(try pcsc.compile(source) == "")
    }
  }

  extension HeaderComparison {
    static let pcsc = HeaderComparison(
      module: "CPCSC", header: "winscard.h", package: "libpcsclite-dev", directory: "/usr/include/PCSC")
  }
#endif
