// SPDX-License-Identifier: Apache-2.0
#if CURL
  import CCurl

  /// An easy handle of libcurl, with the multi handle that runs it and can be woken.
  /// Unchecked: everything except `wake` is called on the courier's thread only.
  final class CurlHandle: @unchecked Sendable {
    let library: CurlLibrary
    private let curl: libre_curl
    private let multi: UnsafeMutableRawPointer
    let easy: UnsafeMutableRawPointer

    init(_ library: CurlLibrary) throws(Verdict) {
      curl = library.functions.pointee
      guard let multi = curl.multi_init() else { throw Self.noMemory }
      guard let easy = curl.easy_init() else {
        _ = curl.multi_cleanup(multi)
        throw Self.noMemory
      }
      (self.library, self.multi, self.easy) = (library, multi, easy)
    }

    deinit {
      curl.easy_cleanup(easy)
      _ = curl.multi_cleanup(multi)
    }

    static let noMemory = Verdict.unavailable(reason: "libcurl has no memory")

    /// Wakes a waiting transfer to check whether it is still wanted. libcurl allows no other call on any thread.
    func wake() { _ = curl.multi_wakeup(multi) }

    /// Runs until the transfer is done or no longer wanted. Call `release` afterwards.
    func run(while isWanted: () -> Bool) throws(Verdict) -> UInt32 {
      guard curl.multi_add_handle(multi, easy) == 0 else { throw Self.noMemory }
      while isWanted() {
        var running: Int32 = 0
        var left: Int32 = 0
        guard curl.multi_perform(multi, &running) == 0 else { throw Self.noMemory }
        while let message = curl.multi_info_read(multi, &left) {
          if message.pointee.kind == LIBRE_CURL_DONE { return message.pointee.data.result }
        }
        guard curl.multi_poll(multi, nil, 0, 1000, nil) == 0 else { throw Self.noMemory }
      }
      throw .unavailable(reason: "cancelled")
    }

    func release() { _ = curl.multi_remove_handle(multi, easy) }

    /// Waits for a connection without a transfer until it has bytes, with `forWriting` takes some, or is woken.
    func wait(for socket: Int32, forWriting: Bool, milliseconds: Int32) throws(Verdict) {
      let events = LIBRE_CURL_WAIT_POLLIN | (forWriting ? LIBRE_CURL_WAIT_POLLOUT : 0)
      guard libre_curl_wait(library.functions, multi, socket, Int16(events), milliseconds) == 0 else {
        throw Self.noMemory
      }
    }

    /// Time limits, verified certificates, TLS 1.2 or newer. `authorities`: a PEM file that replaces the system's.
    func setConnection(authorities: String?, milliseconds: Int) throws(Verdict) {
      try set(LIBRE_CURL_OPT_NOSIGNAL, 1)
      try set(LIBRE_CURL_OPT_CONNECTTIMEOUT_MS, min(milliseconds, Self.connectMilliseconds))
      try set(LIBRE_CURL_OPT_SSL_VERIFYPEER, 1)
      try set(LIBRE_CURL_OPT_SSL_VERIFYHOST, 2)
      try set(LIBRE_CURL_OPT_SSLVERSION, LIBRE_CURL_SSLVERSION_TLSV1_2)
      if let authorities { try text(LIBRE_CURL_OPT_CAINFO, authorities) }
      // Versions before 7.85.0 know only the numbers of the protocols.
      let names = libre_curl_set_text(library.functions, easy, LIBRE_CURL_OPT_PROTOCOLS_STR, "http,https")
      if names != LIBRE_CURL_OK {
        try set(LIBRE_CURL_OPT_PROTOCOLS, LIBRE_CURL_PROTOCOL_HTTP | LIBRE_CURL_PROTOCOL_HTTPS)
      }
    }

    static let connectMilliseconds = 10_000

    func set(_ option: UInt32, _ value: Int) throws(Verdict) {
      try check(libre_curl_set_number(library.functions, easy, option, value))
    }

    func text(_ option: UInt32, _ value: String) throws(Verdict) {
      try check(libre_curl_set_text(library.functions, easy, option, value))
    }

    func pointer(_ option: UInt32, _ value: UnsafeRawPointer?) throws(Verdict) {
      try check(libre_curl_set_pointer(library.functions, easy, option, value))
    }

    func number(_ info: UInt32) -> Int { libre_curl_number(library.functions, easy, info) }

    /// A refused option is always an error: it may be the verification.
    func check(_ result: UInt32) throws(Verdict) {
      if result != LIBRE_CURL_OK {
        throw .libraryMissing(name: "an option in \(LIBRE_CURL_LIBRARY)", package: "libcurl4")
      }
    }
  }
#endif
