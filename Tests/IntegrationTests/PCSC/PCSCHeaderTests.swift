// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import TestSupport
  import Testing

  @Suite("Our declarations of libpcsclite", .onOwnThreads, .needsHeaders(.pcsc), .startsProcesses)
  struct PCSCHeaderTests {
    /// Our numbers, and what has a structure among its arguments: the real type is spelt out and ours compared with it by
    /// layout.
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

      #define SAME(OURS, THEIRS) _Static_assert(OURS == THEIRS, #THEIRS)
      SAME(LIBRE_PCSC_SUCCESS, SCARD_S_SUCCESS);
      SAME(LIBRE_PCSC_CANCELLED, SCARD_E_CANCELLED);
      SAME(LIBRE_PCSC_INSUFFICIENT_BUFFER, SCARD_E_INSUFFICIENT_BUFFER);
      SAME(LIBRE_PCSC_UNKNOWN_READER, SCARD_E_UNKNOWN_READER);
      SAME(LIBRE_PCSC_TIMEOUT, SCARD_E_TIMEOUT);
      SAME(LIBRE_PCSC_SHARING_VIOLATION, SCARD_E_SHARING_VIOLATION);
      SAME(LIBRE_PCSC_NO_CARD, SCARD_E_NO_SMARTCARD);
      SAME(LIBRE_PCSC_PROTOCOL_MISMATCH, SCARD_E_PROTO_MISMATCH);
      SAME(LIBRE_PCSC_COMMUNICATION_FAILED, SCARD_F_COMM_ERROR);
      SAME(LIBRE_PCSC_NOT_TRANSACTED, SCARD_E_NOT_TRANSACTED);
      SAME(LIBRE_PCSC_READER_UNAVAILABLE, SCARD_E_READER_UNAVAILABLE);
      SAME(LIBRE_PCSC_NO_SERVICE, SCARD_E_NO_SERVICE);
      SAME(LIBRE_PCSC_SERVICE_STOPPED, SCARD_E_SERVICE_STOPPED);
      SAME(LIBRE_PCSC_NO_READERS, SCARD_E_NO_READERS_AVAILABLE);
      SAME(LIBRE_PCSC_UNRESPONSIVE_CARD, SCARD_W_UNRESPONSIVE_CARD);
      SAME(LIBRE_PCSC_UNPOWERED_CARD, SCARD_W_UNPOWERED_CARD);
      SAME(LIBRE_PCSC_RESET_CARD, SCARD_W_RESET_CARD);
      SAME(LIBRE_PCSC_REMOVED_CARD, SCARD_W_REMOVED_CARD);
      SAME(LIBRE_PCSC_SECURITY_VIOLATION, SCARD_W_SECURITY_VIOLATION);
      SAME(LIBRE_PCSC_SCOPE_SYSTEM, SCARD_SCOPE_SYSTEM);
      SAME(LIBRE_PCSC_EXCLUSIVE, SCARD_SHARE_EXCLUSIVE);
      SAME(LIBRE_PCSC_PROTOCOL_T0, SCARD_PROTOCOL_T0);
      SAME(LIBRE_PCSC_PROTOCOL_T1, SCARD_PROTOCOL_T1);
      SAME(LIBRE_PCSC_PROTOCOL_RAW, SCARD_PROTOCOL_RAW);
      SAME(LIBRE_PCSC_LEAVE, SCARD_LEAVE_CARD);
      SAME(LIBRE_PCSC_UNPOWER, SCARD_UNPOWER_CARD);
      SAME(LIBRE_PCSC_STATE_CHANGED, SCARD_STATE_CHANGED);
      SAME(LIBRE_PCSC_STATE_EMPTY, SCARD_STATE_EMPTY);
      SAME(LIBRE_PCSC_STATE_PRESENT, SCARD_STATE_PRESENT);
      SAME(LIBRE_PCSC_STATE_EXCLUSIVE, SCARD_STATE_EXCLUSIVE);
      SAME(LIBRE_PCSC_STATE_MUTE, SCARD_STATE_MUTE);
      SAME(LIBRE_PCSC_LONGEST_ATR, MAX_ATR_SIZE);
      SAME(LIBRE_PCSC_LONGEST_ANSWER, MAX_BUFFER_SIZE);

      """

    @Test("match its header")
    func same() throws {
      let functions = try HeaderComparison.pcsc.functions(
        of: "libre_pcsc", except: ["SCardGetStatusChange", "SCardTransmit"])
      #expect(try HeaderComparison.pcsc.compile(Self.comparison + functions) == "")
    }

    @Test("are all part of the comparison with the header")
    func everyName() throws {
      let names = try HeaderComparison.pcsc.shim().matches(of: /#define (LIBRE_PCSC_[A-Z0-9_]+) \S/)
        .map { String($0.1) }
      #expect(names.count > 20)
      for name in names where name != "LIBRE_PCSC_LIBRARY" {
        #expect(Self.comparison.contains("SAME(\(name),"), "\(name)")
      }
    }
  }

  extension HeaderComparison {
    static let pcsc = HeaderComparison(
      module: "CPCSC", header: "winscard.h", package: "libpcsclite-dev", directory: "/usr/include/PCSC")
  }
#endif
