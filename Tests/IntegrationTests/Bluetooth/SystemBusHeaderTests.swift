// SPDX-License-Identifier: Apache-2.0
#if Bluetooth
  import Foundation
  import TestSupport
  import Testing

  @Suite("Our declarations of sd-bus", .startsProcesses, .needsHeaders(.systemBus))
  struct SystemBusHeaderTests {
    /// The address of each function is given to the pointer that we call it through, so that the compiler compares the
    /// types. Those with an error have their own name for its structure, which is compared besides.
    static let comparison = """
      #include <systemd/sd-bus.h>
      #include "shim.h"

      const struct libre_bus functions = {
        .new = sd_bus_new, .set_address = sd_bus_set_address, .set_bus_client = sd_bus_set_bus_client,
        .start = sd_bus_start, .flush_close_unref = sd_bus_flush_close_unref, .get_fd = sd_bus_get_fd,
        .get_events = sd_bus_get_events, .process = sd_bus_process, .send = sd_bus_send,
        .message_new_method_call = sd_bus_message_new_method_call,
        .message_new_method_return = sd_bus_message_new_method_return,
        .message_unref = sd_bus_message_unref, .message_append_basic = sd_bus_message_append_basic,
        .message_append_array = sd_bus_message_append_array, .message_open_container = sd_bus_message_open_container,
        .message_close_container = sd_bus_message_close_container, .message_peek_type = sd_bus_message_peek_type,
        .message_enter_container = sd_bus_message_enter_container,
        .message_exit_container = sd_bus_message_exit_container, .message_read_basic = sd_bus_message_read_basic,
        .message_read_array = sd_bus_message_read_array, .message_skip = sd_bus_message_skip,
        .message_get_type = sd_bus_message_get_type, .message_get_reply_cookie = sd_bus_message_get_reply_cookie,
        .message_get_sender = sd_bus_message_get_sender, .message_get_path = sd_bus_message_get_path,
        .message_get_interface = sd_bus_message_get_interface, .message_get_member = sd_bus_message_get_member,
        .message_new_method_error = (__typeof__(functions.message_new_method_error)) sd_bus_message_new_method_error,
        .message_get_error = (__typeof__(functions.message_get_error)) sd_bus_message_get_error,
      };

      _Static_assert(
        _Generic(&sd_bus_message_new_method_error,
          int (*)(sd_bus_message *, sd_bus_message **, const sd_bus_error *): 1, default: 0), "new_method_error");
      _Static_assert(
        _Generic(&sd_bus_message_get_error, const sd_bus_error *(*)(sd_bus_message *): 1, default: 0), "get_error");

      #define SAME(OURS, THEIRS) _Static_assert(OURS == THEIRS, #THEIRS)
      SAME(sizeof(struct libre_bus_error), sizeof(sd_bus_error));
      SAME(offsetof(struct libre_bus_error, name), offsetof(sd_bus_error, name));
      SAME(offsetof(struct libre_bus_error, message), offsetof(sd_bus_error, message));
      SAME(LIBRE_BUS_METHOD_CALL, SD_BUS_MESSAGE_METHOD_CALL);
      SAME(LIBRE_BUS_METHOD_RETURN, SD_BUS_MESSAGE_METHOD_RETURN);
      SAME(LIBRE_BUS_METHOD_ERROR, SD_BUS_MESSAGE_METHOD_ERROR);
      SAME(LIBRE_BUS_SIGNAL, SD_BUS_MESSAGE_SIGNAL);

      """

    @Test("match its headers")
    func same() throws { #expect(try HeaderComparison.systemBus.compile(Self.comparison) == "") }

    @Test("are all part of the comparison")
    func everyName() throws {
      let shim = try HeaderComparison.systemBus.shim()
      let names = shim.matches(of: /#define (LIBRE_BUS_[A-Z0-9_]+) \d/).map { String($0.1) }
      #expect(names.count == 4)
      for name in names { #expect(Self.comparison.contains("SAME(\(name),"), "\(name)") }
      let functions = try HeaderComparison.systemBus.functions()
      #expect(functions.count == 30)
      for function in functions {
        #expect(
          Self.comparison.contains(try Regex(#"\.\#(function) = (\(__typeof__\(.*\)\) )?sd_bus_\#(function),"#)),
          "\(function)")
      }
    }
  }

  extension HeaderComparison {
    static let systemBus = HeaderComparison(
      module: "CSystemBus", header: "systemd/sd-bus.h", package: "libsystemd-dev")
  }
#endif
