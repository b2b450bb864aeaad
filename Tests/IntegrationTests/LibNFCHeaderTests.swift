// SPDX-License-Identifier: Apache-2.0
#if LibNFC
  import Foundation
  import Testing

  @Suite("Our declarations of libnfc", LibNFCHere.development)
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

    private func compile(_ source: String) throws -> String {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = folder.appending(path: "comparison.c")
      try source.write(to: file, atomically: true, encoding: .utf8)
      let shim = URL(filePath: #filePath).appending(path: "../../../Sources/CNFC").standardized.path
      let compiler = Process()
      compiler.executableURL = URL(filePath: "/usr/bin/env")
      compiler.arguments = ["clang", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", shim, file.path]
      let errors = Pipe()
      compiler.standardError = errors
      try compiler.run()
      let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      compiler.waitUntilExit()
      #expect((compiler.terminationStatus == 0) == text.isEmpty)
      return text
    }

    @Test("are those of its header")
    func same() throws { #expect(try compile(Self.comparison) == "") }

    @Test(
      "would be found out if one differed",
      arguments: [
        ("LIBRE_NFC_EIO == NFC_EIO", "LIBRE_NFC_EIO == NFC_EINVARG"), (".init = nfc_init", ".init = nfc_exit"),
        (".strerror = nfc_strerror", ".strerror = nfc_version"),
      ])
    func different(_ line: String, _ wrong: String) throws {
      let spoilt = Self.comparison.replacing(line, with: wrong)
      #expect(spoilt != Self.comparison)
      #expect(try compile(spoilt).contains("comparison.c"))
    }
  }
#endif
