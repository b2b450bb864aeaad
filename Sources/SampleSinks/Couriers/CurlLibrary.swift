// SPDX-License-Identifier: Apache-2.0
#if CURL
  import CCurl

  /// libcurl, loaded when something is first sent by HTTP: a machine without it can still decode.
  ///
  /// Unchecked, because a table of C functions that never changes belongs to no thread.
  struct CurlLibrary: @unchecked Sendable {
    let functions: libre_curl

    /// Once in a process. `libraryMissing` names the library, or what an odd one lacks.
    static let loaded: Result<CurlLibrary, DeliveryError> = {
      var functions = libre_curl()
      if let missing = libre_curl_load(&functions).map({ String(cString: $0) }) {
        let name = missing == LIBRE_CURL_LIBRARY ? missing : "\(missing) in \(LIBRE_CURL_LIBRARY)"
        return .failure(.libraryMissing(name: name, package: "libcurl4"))
      }
      guard functions.global_init(LIBRE_CURL_GLOBAL_DEFAULT) == LIBRE_CURL_OK else {
        return .failure(.unavailable(reason: "libcurl does not start"))
      }
      return .success(CurlLibrary(functions: functions))
    }()

    /// Where a URL leads.
    struct Origin: Hashable {
      let scheme: String
      let host: String
      let port: String

      /// For people; nothing of a URL but this is ever written into an error.
      var words: String { "\(scheme)://\(host):\(port)" }
    }

    /// By libcurl's own reading of the URL, so that what we compare is what it connects to. nil if it cannot be read,
    /// is not http or https, or holds a name or a password.
    func origin(of url: String) -> Origin? {
      // A C string would end at a NUL.
      guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), let parts = functions.url() else { return nil }
      defer { functions.url_cleanup(parts) }
      guard functions.url_set(parts, LIBRE_CURL_PART_URL, url, 0) == LIBRE_CURL_OK else { return nil }
      func part(_ part: UInt32, _ flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard functions.url_get(parts, part, &text, flags) == LIBRE_CURL_OK, let text else { return nil }
        defer { functions.free(text) }
        return String(cString: text)
      }
      guard let scheme = part(LIBRE_CURL_PART_SCHEME)?.lowercased(), ["http", "https"].contains(scheme),
        let host = part(LIBRE_CURL_PART_HOST)?.lowercased(), !host.isEmpty,
        let port = part(LIBRE_CURL_PART_PORT, LIBRE_CURL_DEFAULT_PORT),
        part(LIBRE_CURL_PART_USER) == nil, part(LIBRE_CURL_PART_PASSWORD) == nil
      else { return nil }
      return Origin(scheme: scheme, host: host, port: port)
    }

    /// What a transfer's result means. `verification` is OpenSSL's result for the certificate.
    ///
    /// The words are libcurl's fixed ones for the result: what it writes about one transfer may quote headers.
    func error(
      _ result: UInt32, verification: Int, at origin: Origin, trusting authorities: String?
    ) -> DeliveryError {
      let words = functions.easy_strerror(result).map { String(cString: $0) } ?? "error \(result) of libcurl"
      switch result {
      case LIBRE_CURL_PEER_FAILED_VERIFICATION:
        return .misdirected(reason: Self.certificateWords(verification, origin))
      case LIBRE_CURL_SSL_CACERT_BADFILE:
        return .misdirected(
          reason: authorities.map { "the trusted certificates in \($0) cannot be read; correct the path" }
            ?? "this machine has no trusted certificates: sudo apt install ca-certificates")
      case LIBRE_CURL_SSL_CERTPROBLEM, LIBRE_CURL_URL_MALFORMAT:
        return .misdirected(reason: "\(origin.words): \(words)")
      // The scheme has been looked at before; what is left is an answer in another language.
      case LIBRE_CURL_UNSUPPORTED_PROTOCOL:
        return .unavailable(reason: "\(origin.words) does not answer in HTTP")
      case LIBRE_CURL_OPERATION_TIMEDOUT:
        return .unavailable(reason: "\(origin.words) does not answer in time")
      default:
        return .unavailable(reason: "\(origin.words): \(words)")
      }
    }

    /// The numbers are those of X509_V_ERR in OpenSSL's x509_vfy.h (read: 3.0.19). 0 is a chain in order, and 1 is what
    /// libcurl leaves there when it has not got so far as to ask (run: 7.88.1): then it is the name that does not fit.
    private static func certificateWords(_ verification: Int, _ origin: Origin) -> String {
      switch verification {
      case 0, 1: "the certificate of \(origin.words) is for another host name; use the name in it"
      case 9: "the certificate of \(origin.words) is not valid yet; look at this machine's clock"
      case 10: "the certificate of \(origin.words) has expired; renew it, or look at this machine's clock"
      default:
        """
        the certificate of \(origin.words) is not trusted here; if it is your own, put its CA into \
        /usr/local/share/ca-certificates and run sudo update-ca-certificates
        """
      }
    }
  }
#endif
