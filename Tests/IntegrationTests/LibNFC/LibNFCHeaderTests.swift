// SPDX-License-Identifier: Apache-2.0
#if LibNFC
  import TestSupport
  import Testing

  @Suite("Our declarations of libnfc", .onOwnThreads, .needsHeaders(.nfc), .startsProcesses)
  struct LibNFCHeaderTests {
    /// The address of each function is given to the pointer that we call it through, so that the compiler compares the
    /// types. pn53x_transceive is in no header and not compared.
    static let comparison = """
      #include <nfc/nfc.h>
      #include "shim.h"
      const struct libre_nfc functions = {
        .init = nfc_init, .exit = nfc_exit, .open = nfc_open, .close = nfc_close,
        .initiator_init = nfc_initiator_init, .device_set_property_bool = nfc_device_set_property_bool,
        .initiator_transceive_bytes = nfc_initiator_transceive_bytes, .device_get_name = nfc_device_get_name,
        .strerror = nfc_strerror,
      };
      _Static_assert(LIBRE_NP_HANDLE_CRC == NP_HANDLE_CRC, "NP_HANDLE_CRC");
      _Static_assert(LIBRE_NP_HANDLE_PARITY == NP_HANDLE_PARITY, "NP_HANDLE_PARITY");
      _Static_assert(LIBRE_NP_ACTIVATE_FIELD == NP_ACTIVATE_FIELD, "NP_ACTIVATE_FIELD");
      _Static_assert(LIBRE_NP_INFINITE_SELECT == NP_INFINITE_SELECT, "NP_INFINITE_SELECT");
      _Static_assert(LIBRE_NP_EASY_FRAMING == NP_EASY_FRAMING, "NP_EASY_FRAMING");
      _Static_assert(LIBRE_NFC_EIO == NFC_EIO, "NFC_EIO");
      _Static_assert(LIBRE_NFC_ETIMEOUT == NFC_ETIMEOUT, "NFC_ETIMEOUT");
      _Static_assert(LIBRE_NFC_ERFTRANS == NFC_ERFTRANS, "NFC_ERFTRANS");

      """

    @Test("match its header")
    func same() throws { #expect(try HeaderComparison.nfc.compile(Self.comparison) == "") }
  }

  extension HeaderComparison {
    static let nfc = HeaderComparison(module: "CNFC", header: "nfc/nfc.h", package: "libnfc-dev")
  }
#endif
