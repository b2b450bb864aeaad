// SPDX-License-Identifier: Apache-2.0
#if CURL
  import Foundation
  import TestSupport
  import Testing

  @Suite("Our declarations of libcurl", .startsProcesses, .needsHeaders(.curl))
  struct CurlHeaderTests {
    /// Functions whose types are not quite ours: the real type is spelt out, and structures are compared by layout.
    static let comparison = """
      #define CURL_DISABLE_DEPRECATION
      #include <curl/curl.h>
      #include "shim.h"

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

    /// libcurl's name for one of our numbers.
    private func theirName(_ name: String) -> String {
      let rest = name.dropFirst("LIBRE_CURL_".count)
      switch rest {
      case "DONE": return "CURLMSG_DONE"
      case "DEFAULT_PORT": return "CURLU_DEFAULT_PORT"
      case "GLOBAL_DEFAULT": return "CURL_GLOBAL_DEFAULT"
      case "SSLVERSION_TLSV1_2": return "CURL_SSLVERSION_TLSv1_2"
      case "PROTOCOL_HTTP": return "CURLPROTO_HTTP"
      case "PROTOCOL_HTTPS": return "CURLPROTO_HTTPS"
      default:
        let prefixes = ["OPT_": "CURLOPT_", "INFO_": "CURLINFO_", "WAIT_": "CURL_WAIT_", "PART_": "CURLUPART_"]
        for (ours, theirs) in prefixes where rest.hasPrefix(ours) { return theirs + rest.dropFirst(ours.count) }
        return "CURLE_" + rest
      }
    }

    @Test("match its headers")
    func same() throws {
      let source =
        try Self.comparison
        + HeaderComparison.curl.functions(
          of: "libre_curl", prefix: "curl_", except: ["easy_setopt", "easy_getinfo", "multi_info_read", "url_get"])
        + HeaderComparison.curl.numbers(theirName)
      #expect(try HeaderComparison.curl.compile(source) == "")
    }
  }
#endif
