// SPDX-License-Identifier: Apache-2.0
#if Bluetooth
  import Foundation
  import TestSupport
  import Testing

  @Suite("Our declarations of sd-bus", .startsProcesses, .needsHeaders(.systemBus))
  struct SystemBusHeaderTests {
    /// The functions with an error, which have their own name for its structure.
    static let comparison = """
      #include <systemd/sd-bus.h>
      #include "shim.h"

      _Static_assert(
        _Generic(&sd_bus_message_new_method_error,
          int (*)(sd_bus_message *, sd_bus_message **, const sd_bus_error *): 1, default: 0), "new_method_error");
      _Static_assert(
        _Generic(&sd_bus_message_get_error, const sd_bus_error *(*)(sd_bus_message *): 1, default: 0), "get_error");

      #define SAME(OURS, THEIRS) _Static_assert(OURS == THEIRS, #THEIRS)
      SAME(sizeof(struct libre_bus_error), sizeof(sd_bus_error));
      SAME(offsetof(struct libre_bus_error, name), offsetof(sd_bus_error, name));
      SAME(offsetof(struct libre_bus_error, message), offsetof(sd_bus_error, message));

      """

    @Test("match its headers")
    func same() throws {
      let bus = HeaderComparison.systemBus
      let source =
        try Self.comparison
        + bus.functions(
          of: "libre_bus", prefix: "sd_bus_", except: ["message_new_method_error", "message_get_error"])
        + bus.numbers { "SD_BUS_MESSAGE_" + $0.dropFirst("LIBRE_BUS_".count) }
      #expect(try bus.compile(source) == "")
    }
  }

  extension HeaderComparison {
    static let systemBus = HeaderComparison(
      module: "CSystemBus", header: "systemd/sd-bus.h", package: "libsystemd-dev")
  }
#endif
