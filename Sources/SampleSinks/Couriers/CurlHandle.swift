// SPDX-License-Identifier: Apache-2.0
#if CURL
  import CCurl

  /// An easy handle of libcurl, with the multi handle that runs it and can be woken.
  ///
  /// Unchecked: everything except `wake` is called on the courier's thread only.
  final class CurlHandle: @unchecked Sendable {
    let library: CurlLibrary
    private let multi: UnsafeMutableRawPointer
    let easy: UnsafeMutableRawPointer

    init(_ library: CurlLibrary) throws(DeliveryError) {
      guard let multi = library.functions.multi_init() else { throw Self.noMemory }
      guard let easy = library.functions.easy_init() else {
        _ = library.functions.multi_cleanup(multi)
        throw Self.noMemory
      }
      self.library = library
      self.multi = multi
      self.easy = easy
    }

    deinit {
      library.functions.easy_cleanup(easy)
      _ = library.functions.multi_cleanup(multi)
    }

    static let noMemory = DeliveryError.unavailable(reason: "libcurl has no memory")

    /// Wakes a waiting transfer to check whether it is still wanted. libcurl allows only this call on any thread.
    func wake() { _ = library.functions.multi_wakeup(multi) }

    /// Runs until the transfer is done or no longer wanted. Call `release` afterwards.
    func run(while isWanted: () -> Bool) throws(DeliveryError) -> UInt32 {
      let curl = library.functions
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

    /// Ends a transfer, and a connection that was opened without one.
    func release() { _ = library.functions.multi_remove_handle(multi, easy) }

    /// Waits for a connection that was opened without a transfer: until it has bytes, or with `forWriting` takes some,
    /// or until it is woken or `milliseconds` are over.
    func wait(for socket: Int32, forWriting: Bool, milliseconds: Int32) throws(DeliveryError) {
      let events = LIBRE_CURL_WAIT_POLLIN | (forWriting ? LIBRE_CURL_WAIT_POLLOUT : 0)
      let result = withUnsafePointer(to: library.functions) {
        libre_curl_wait($0, multi, socket, Int16(events), milliseconds)
      }
      guard result == 0 else { throw Self.noMemory }
    }

    /// Sets what every connection has: time limits, verified certificates, TLS 1.2 or newer. `authorities` is a PEM file
    /// of certificates that are trusted instead of the system's.
    func setConnection(authorities: String?, milliseconds: Int) throws(DeliveryError) {
      try set(LIBRE_CURL_OPT_NOSIGNAL, 1)
      try set(LIBRE_CURL_OPT_CONNECTTIMEOUT_MS, min(milliseconds, Self.connectMilliseconds))
      try set(LIBRE_CURL_OPT_SSL_VERIFYPEER, 1)
      try set(LIBRE_CURL_OPT_SSL_VERIFYHOST, 2)
      try set(LIBRE_CURL_OPT_SSLVERSION, LIBRE_CURL_SSLVERSION_TLSV1_2)
      if let authorities { try text(LIBRE_CURL_OPT_CAINFO, authorities) }
      let knowsNames = withUnsafePointer(to: library.functions) {
        libre_curl_set_text($0, easy, LIBRE_CURL_OPT_PROTOCOLS_STR, "http,https") == LIBRE_CURL_OK
      }
      if !knowsNames { try set(LIBRE_CURL_OPT_PROTOCOLS, LIBRE_CURL_PROTOCOL_HTTP | LIBRE_CURL_PROTOCOL_HTTPS) }
    }

    static let connectMilliseconds = 10_000

    func set(_ option: UInt32, _ value: Int) throws(DeliveryError) {
      try check(withUnsafePointer(to: library.functions) { libre_curl_set_number($0, easy, option, value) })
    }

    func text(_ option: UInt32, _ value: String) throws(DeliveryError) {
      try check(withUnsafePointer(to: library.functions) { libre_curl_set_text($0, easy, option, value) })
    }

    func pointer(_ option: UInt32, _ value: UnsafeRawPointer) throws(DeliveryError) {
      try check(withUnsafePointer(to: library.functions) { libre_curl_set_pointer($0, easy, option, value) })
    }

    func number(_ info: UInt32) -> Int {
      withUnsafePointer(to: library.functions) { libre_curl_number($0, easy, info) }
    }

    /// Checks a result. A refused option is always an error: it may be the verification.
    func check(_ result: UInt32) throws(DeliveryError) {
      if result != LIBRE_CURL_OK {
        throw .libraryMissing(name: "an option in \(LIBRE_CURL_LIBRARY)", package: "libcurl4")
      }
    }
  }
#endif
