// SPDX-License-Identifier: Apache-2.0
#if CURL
  import Foundation
  import TestSupport
  import Testing

  @Suite("Our declarations of libcurl", .startsProcesses, .needsHeaders(.curl))
  struct CurlHeaderTests {
    /// The address of each function is given to the pointer that we call it through, so that the compiler compares the
    /// types; where a structure is among them, the real type is spelt out and ours compared with it by layout.
    static let comparison = """
      #define CURL_DISABLE_DEPRECATION
      #include <curl/curl.h>
      #include "shim.h"

      const struct libre_curl functions = {
        .easy_send = curl_easy_send, .easy_recv = curl_easy_recv,
        .global_init = curl_global_init, .easy_init = curl_easy_init, .easy_cleanup = curl_easy_cleanup,
        .easy_reset = curl_easy_reset, .easy_strerror = curl_easy_strerror, .multi_init = curl_multi_init,
        .multi_cleanup = curl_multi_cleanup, .multi_add_handle = curl_multi_add_handle,
        .multi_remove_handle = curl_multi_remove_handle, .multi_perform = curl_multi_perform,
        .multi_poll = curl_multi_poll, .multi_wakeup = curl_multi_wakeup, .slist_append = curl_slist_append,
        .slist_free_all = curl_slist_free_all, .url = curl_url, .url_cleanup = curl_url_cleanup,
        .url_set = curl_url_set, .free = curl_free,
      };
      // The first argument has become const in a later version.
      const __typeof__(((struct libre_curl *)0)->url_get) our_part =
        (CURLUcode (*)(CURLU *, CURLUPart, char **, unsigned int))0;
      _Static_assert(_Generic(&curl_url_get, CURLUcode (*)(CURLU *, CURLUPart, char **, unsigned int): 1,
        CURLUcode (*)(const CURLU *, CURLUPart, char **, unsigned int): 1, default: 0), "curl_url_get");
      // The option is an enumeration there, and an unsigned int to every caller in C.
      CURLcode (*const set)(CURL *, CURLoption, ...) = (curl_easy_setopt);
      CURLcode (*const get)(CURL *, CURLINFO, ...) = (curl_easy_getinfo);
      const __typeof__(((struct libre_curl *)0)->easy_setopt) our_set = (CURLcode (*)(CURL *, CURLoption, ...))0;
      const __typeof__(((struct libre_curl *)0)->easy_getinfo) our_get = (CURLcode (*)(CURL *, CURLINFO, ...))0;
      CURLMsg *(*const read_message)(CURLM *, int *) = curl_multi_info_read;
      const __typeof__(((struct libre_curl *)0)->multi_info_read) our_read =
        (struct libre_curl_message *(*)(CURLM *, int *))0;
      const curl_write_callback receiver = (libre_curl_receiver)0;

      #define SAME(OURS, THEIRS) _Static_assert((long long)OURS == (long long)THEIRS, #THEIRS)
      SAME(sizeof(struct libre_curl_message), sizeof(CURLMsg));
      SAME(offsetof(struct libre_curl_message, kind), offsetof(CURLMsg, msg));
      SAME(offsetof(struct libre_curl_message, easy), offsetof(CURLMsg, easy_handle));
      SAME(offsetof(struct libre_curl_message, data.result), offsetof(CURLMsg, data.result));
      SAME(sizeof(((struct libre_curl_message *)0)->kind), sizeof(((CURLMsg *)0)->msg));
      SAME(sizeof(int64_t), sizeof(curl_off_t));
      SAME(sizeof(int), sizeof(curl_socket_t));
      SAME(sizeof(struct libre_curl_waitfd), sizeof(struct curl_waitfd));
      SAME(offsetof(struct libre_curl_waitfd, fd), offsetof(struct curl_waitfd, fd));
      SAME(offsetof(struct libre_curl_waitfd, events), offsetof(struct curl_waitfd, events));
      SAME(offsetof(struct libre_curl_waitfd, revents), offsetof(struct curl_waitfd, revents));

      """

    /// Each of our names and libcurl's for it: theirs follow from ours.
    static func same(_ name: String) -> String {
      let rest = name.dropFirst("LIBRE_CURL_".count)
      let theirs =
        switch name {
        case "LIBRE_CURL_DONE": "CURLMSG_DONE"
        case "LIBRE_CURL_DEFAULT_PORT": "CURLU_DEFAULT_PORT"
        case "LIBRE_CURL_GLOBAL_DEFAULT": "CURL_GLOBAL_DEFAULT"
        case "LIBRE_CURL_SSLVERSION_TLSV1_2": "CURL_SSLVERSION_TLSv1_2"
        case "LIBRE_CURL_PROTOCOL_HTTP": "CURLPROTO_HTTP"
        case "LIBRE_CURL_PROTOCOL_HTTPS": "CURLPROTO_HTTPS"
        default:
          if rest.hasPrefix("OPT_") {
            "CURLOPT_" + rest.dropFirst(4)
          } else if rest.hasPrefix("INFO_") {
            "CURLINFO_" + rest.dropFirst(5)
          } else if rest.hasPrefix("WAIT_") {
            "CURL_" + rest
          } else if rest.hasPrefix("PART_") {
            "CURLUPART_" + rest.dropFirst(5)
          } else {
            "CURLE_" + rest
          }
        }
      return "SAME(\(name), \(theirs));\n"
    }

    private func source() throws -> String {
      let shim = try HeaderComparison.curl.shim()
      let names = shim.matches(of: /#define (LIBRE_CURL_[A-Z0-9_]+) \S/).map { String($0.1) }
      #expect(names.count > 40)
      return Self.comparison + names.filter { $0 != "LIBRE_CURL_LIBRARY" }.map(Self.same).joined()
    }

    @Test("match its headers")
    func same() throws { #expect(try HeaderComparison.curl.compile(source()) == "") }

    @Test("are all part of the comparison")
    func everyFunction() throws {
      let functions = try HeaderComparison.curl.functions()
      #expect(functions.count == 25)
      for function in functions where function != "libre_curl_receiver" {
        #expect(Self.comparison.contains("curl_\(function)"), "\(function)")
      }
    }

    @Test(
      "fail the comparison if one of them differs",
      arguments: [
        ("CURLE_WRITE_ERROR", "CURLE_READ_ERROR"), (".url_set = curl_url_set", ".url_set = curl_url_get"),
        ("offsetof(CURLMsg, easy_handle)", "offsetof(CURLMsg, msg)"),
      ])
    func different(_ line: String, _ wrong: String) throws {
      let right = try source()
      let spoilt = right.replacing(line, with: wrong)
      #expect(spoilt != right)
      #expect(try HeaderComparison.curl.compile(spoilt).contains("comparison.c"))
    }
  }
#endif
