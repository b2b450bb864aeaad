// SPDX-License-Identifier: Apache-2.0
#if MQTT
  import Foundation
  import TestSupport
  import Testing

  @Suite("Our declarations of libmosquitto", .startsProcesses, .needsHeaders(.mosquitto))
  struct MosquittoHeaderTests {
    /// The address of each function is given to the pointer that we call it through, so that the compiler compares the
    /// types. The option is an enumeration there, and an unsigned int to every caller in C.
    static let comparison = """
      #include <mosquitto.h>
      #include <mqtt_protocol.h>
      #include "shim.h"

      const struct libre_mosq functions = {
        .lib_init = mosquitto_lib_init, .new = mosquitto_new, .destroy = mosquitto_destroy,
        .username_pw_set = mosquitto_username_pw_set, .will_set = mosquitto_will_set, .tls_set = mosquitto_tls_set,
        .tls_opts_set = mosquitto_tls_opts_set, .connect_async = mosquitto_connect_async,
        .disconnect = mosquitto_disconnect, .loop = mosquitto_loop, .publish = mosquitto_publish,
        .connect_v5_callback_set = mosquitto_connect_v5_callback_set,
        .publish_v5_callback_set = mosquitto_publish_v5_callback_set,
        .log_callback_set = mosquitto_log_callback_set, .strerror = mosquitto_strerror,
        .int_option = mosquitto_int_option,
      };

      #define SAME(OURS, THEIRS) _Static_assert(OURS == THEIRS, #THEIRS)
      SAME(LIBRE_MOSQ_SUCCESS, MOSQ_ERR_SUCCESS);
      SAME(LIBRE_MOSQ_NO_CONN, MOSQ_ERR_NO_CONN);
      SAME(LIBRE_MOSQ_INVAL, MOSQ_ERR_INVAL);
      SAME(LIBRE_MOSQ_PAYLOAD_SIZE, MOSQ_ERR_PAYLOAD_SIZE);
      SAME(LIBRE_MOSQ_MALFORMED_UTF8, MOSQ_ERR_MALFORMED_UTF8);
      SAME(LIBRE_MOSQ_OVERSIZE_PACKET, MOSQ_ERR_OVERSIZE_PACKET);
      SAME(LIBRE_MOSQ_OPT_PROTOCOL_VERSION, MOSQ_OPT_PROTOCOL_VERSION);
      SAME(LIBRE_MOSQ_OPT_TLS_USE_OS_CERTS, MOSQ_OPT_TLS_USE_OS_CERTS);
      SAME(LIBRE_MOSQ_PROTOCOL_V311, MQTT_PROTOCOL_V311);
      SAME(LIBRE_MOSQ_PROTOCOL_V5, MQTT_PROTOCOL_V5);

      """

    @Test("match its headers")
    func same() throws { #expect(try HeaderComparison.mosquitto.compile(Self.comparison) == "") }

    @Test("are all part of the comparison")
    func everyName() throws {
      let shim = try HeaderComparison.mosquitto.shim()
      let names = shim.matches(of: /#define (LIBRE_MOSQ_[A-Z0-9_]+) \S/).map { String($0.1) }
      // The library's name, and a number of OpenSSL's.
      for name in Set(names).subtracting(["LIBRE_MOSQ_LIBRARY", "LIBRE_MOSQ_VERIFY_PEER"]) {
        #expect(Self.comparison.contains("SAME(\(name),"), "\(name)")
      }
      let functions = shim.matches(of: /\(\*([a-z0-9_]+)\)\(/).map { String($0.1) }
        .filter { $0 != "password" && !$0.hasPrefix("libre_") }
      #expect(functions.count == 16)
      for function in functions {
        #expect(Self.comparison.contains(".\(function) = mosquitto_\(function),"), "\(function)")
      }
    }

    @Test(
      "fail the comparison if one of them differs",
      arguments: [
        ("MOSQ_ERR_NO_CONN", "MOSQ_ERR_CONN_LOST"), (".loop = mosquitto_loop", ".loop = mosquitto_disconnect"),
        (".will_set = mosquitto_will_set", ".will_set = mosquitto_will_set_v5"),
      ])
    func different(_ line: String, _ wrong: String) throws {
      let spoilt = Self.comparison.replacing(line, with: wrong)
      #expect(spoilt != Self.comparison)
      #expect(try HeaderComparison.mosquitto.compile(spoilt).contains("comparison.c"))
    }
  }
#endif
