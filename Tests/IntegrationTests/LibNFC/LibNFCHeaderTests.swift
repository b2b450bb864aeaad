// SPDX-License-Identifier: Apache-2.0
#if LibNFC
  import TestSupport
  import Testing

  @Suite("Our declarations of libnfc", .onOwnThreads, .needsHeaders(.nfc), .startsProcesses)
  struct LibNFCHeaderTests {
    /// `pn53x_transceive` is in no header, and not compared.
    @Test("match its header")
    func same() throws {
      let nfc = HeaderComparison.nfc
      let source =
        try "#include <nfc/nfc.h>\n#include \"shim.h\"\n"
        + nfc.functions(of: "libre_nfc", prefix: "nfc_", except: ["pn53x_transceive"])
        + nfc.numbers { String($0.dropFirst("LIBRE_".count)) }
      #expect(try nfc.compile(source) == "")
    }
  }

  extension HeaderComparison {
    static let nfc = HeaderComparison(module: "CNFC", header: "nfc/nfc.h", package: "libnfc-dev")
  }
#endif
