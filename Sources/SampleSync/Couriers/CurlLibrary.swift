// SPDX-License-Identifier: Apache-2.0
#if CURL
  import CCurl

  /// libcurl, loaded on first use of HTTP or MQTT: a machine without it can still decode.
  /// Unchecked: a table of C functions that never changes is safe to share.
  struct CurlLibrary: @unchecked Sendable {
    /// The table of functions, which is never freed.
    let functions: UnsafePointer<libre_curl>

    /// The library, loaded once in a process. `libraryMissing` names the library, or the function that it lacks.
    static let loaded: Result<CurlLibrary, Verdict> = {
      let functions = UnsafeMutablePointer<libre_curl>.allocate(capacity: 1)
      functions.initialize(to: libre_curl())
      if let missing = libre_curl_load(functions).map({ String(cString: $0) }) {
        let name = missing == LIBRE_CURL_LIBRARY ? missing : "\(missing) in \(LIBRE_CURL_LIBRARY)"
        return .failure(.libraryMissing(name: name, package: "libcurl4"))
      }
      guard functions.pointee.global_init(LIBRE_CURL_GLOBAL_DEFAULT) == LIBRE_CURL_OK else {
        return .failure(.unavailable(reason: "libcurl does not start"))
      }
      return .success(CurlLibrary(functions: UnsafePointer(functions)))
    }()

    struct Origin: Hashable {
      let scheme: String
      let host: String
      let port: String

      /// Text for people; no other part of a URL is ever written into an error.
      var words: String { "\(scheme)://\(host):\(port)" }
    }

    /// Parses a URL with libcurl, so that the compared origin is the one that it connects to; nil if it is invalid, not
    /// http or https, or contains a name or a password.
    func origin(of url: String) -> Origin? {
      // A C string would end at a NUL.
      let curl = functions.pointee
      guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), let parts = curl.url() else { return nil }
      defer { curl.url_cleanup(parts) }
      guard curl.url_set(parts, LIBRE_CURL_PART_URL, url, 0) == LIBRE_CURL_OK else { return nil }
      func part(_ part: UInt32, _ flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl.url_get(parts, part, &text, flags) == LIBRE_CURL_OK, let text else { return nil }
        defer { curl.free(text) }
        return String(cString: text)
      }
      guard let scheme = part(LIBRE_CURL_PART_SCHEME)?.lowercased(), ["http", "https"].contains(scheme),
        let host = part(LIBRE_CURL_PART_HOST)?.lowercased(), !host.isEmpty,
        let port = part(LIBRE_CURL_PART_PORT, LIBRE_CURL_DEFAULT_PORT),
        part(LIBRE_CURL_PART_USER) == nil, part(LIBRE_CURL_PART_PASSWORD) == nil
      else { return nil }
      return Origin(scheme: scheme, host: host, port: port)
    }

    /// `verification` is OpenSSL's result for the certificate; `remedy` is what helps if the certificate is the user's
    /// own. Uses libcurl's fixed texts for results: its messages about one transfer may quote headers.
    func error(
      _ result: UInt32, verification: Int, at place: String, trusting authorities: String?, remedy: String
    ) -> Verdict {
      let words = functions.pointee.easy_strerror(result).map { String(cString: $0) } ?? "error \(result) of libcurl"
      switch result {
      case LIBRE_CURL_PEER_FAILED_VERIFICATION:
        return .misdirected(reason: Self.certificateWords(verification, place, remedy))
      case LIBRE_CURL_SSL_CACERT_BADFILE:
        return .misdirected(
          reason: authorities.map { "the trusted certificates in \($0) cannot be read; correct the path" }
            ?? "this machine has no trusted certificates: sudo apt install ca-certificates")
      case LIBRE_CURL_SSL_CERTPROBLEM, LIBRE_CURL_URL_MALFORMAT: return .misdirected(reason: "\(place): \(words)")
      // The scheme was checked before; the remaining cause is an answer in another protocol.
      case LIBRE_CURL_UNSUPPORTED_PROTOCOL: return .unavailable(reason: "\(place) does not answer in HTTP")
      case LIBRE_CURL_OPERATION_TIMEDOUT: return .unavailable(reason: "\(place) did not answer before the timeout")
      default: return .unavailable(reason: "\(place): \(words)")
      }
    }

    /// The numbers are those of X509_V_ERR in OpenSSL's x509_vfy.h (read: 3.0.19). 0 is a valid chain, and 1 is
    /// libcurl's value if it did not get that far (run: 7.88.1): then the host name does not match.
    private static func certificateWords(_ verification: Int, _ place: String, _ remedy: String) -> String {
      switch verification {
      case 0, 1: "the certificate of \(place) is for another host name; use the name in it"
      case 9: "the certificate of \(place) is not valid yet; check this machine's clock"
      case 10: "the certificate of \(place) has expired; renew it, or check this machine's clock"
      default: "the certificate of \(place) is not trusted here; if it is your own, \(remedy)"
      }
    }
  }
#endif
