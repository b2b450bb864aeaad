// SPDX-License-Identifier: Apache-2.0
#if CURL
  import CCurl

  /// Bytes to and from a server, over TCP or TLS, until the value is freed: libcurl opens the connection as it does for
  /// HTTP, and no transfer follows (`CURLOPT_CONNECT_ONLY`). Used on the courier's thread only.
  final class CurlConnection {
    private let handle: CurlHandle
    private let words: String
    private let socket: Int32
    /// Bytes on their way. They stay in one place until they are sent: OpenSSL takes up an unfinished record only with
    /// the same bytes at the same address.
    private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 1)
    private var unsent = 0..<0
    private let inbox = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 1)

    /// `handle` is free for another connection when the returned one is gone.
    static func opened(
      _ handle: CurlHandle, to broker: MQTTBroker, while isWanted: () -> Bool
    ) throws(Verdict) -> CurlConnection {
      let library = handle.library
      library.functions.pointee.easy_reset(handle.easy)
      let authorities: String? = if case .tlsTrusting(let file) = broker.encryption { file } else { nil }
      // The scheme of the URL is only a means: nothing of HTTP is sent.
      let url = "\(broker.encryption == .none ? "http" : "https")://\(broker.place)"
      guard library.origin(of: url) != nil else { throw .misdirected(reason: "invalid address \(broker.words)") }
      try handle.text(LIBRE_CURL_OPT_URL, url)
      try handle.set(LIBRE_CURL_OPT_CONNECT_ONLY, 1)
      // A server that shares its port with HTTP would take HTTP for what follows.
      try handle.set(LIBRE_CURL_OPT_SSL_ENABLE_ALPN, 0)
      try handle.text(LIBRE_CURL_OPT_NOPROXY, "*")
      try handle.setConnection(authorities: authorities, milliseconds: CurlHandle.connectMilliseconds)
      do throws(Verdict) {
        let result = try handle.run(while: isWanted)
        guard result == LIBRE_CURL_OK else {
          throw library.error(
            result, verification: handle.number(LIBRE_CURL_INFO_SSL_VERIFYRESULT), at: broker.words,
            trusting: authorities, remedy: "set its CA (ca_file)")
        }
        let socket = libre_curl_socket(library.functions, handle.easy)
        guard socket >= 0 else { throw .unavailable(reason: "\(broker.words) closed the connection") }
        return CurlConnection(handle, socket, broker.words)
      } catch {
        handle.release()
        throw error
      }
    }

    private init(_ handle: CurlHandle, _ socket: Int32, _ words: String) {
      (self.handle, self.socket, self.words) = (handle, socket, words)
    }

    deinit {
      handle.release()
      chunk.deallocate()
      inbox.deallocate()
    }

    /// Sends as many of the bytes as the connection takes now, and returns their number; some may still be unsent.
    func send(_ bytes: [UInt8]) throws(Verdict) -> Int {
      var taken = 0
      while true {
        if unsent.isEmpty {
          guard taken < bytes.count else { return taken }
          let part = bytes[taken...].prefix(chunk.count)
          chunk.copyBytes(from: part)
          unsent = 0..<part.count
          taken += part.count
        }
        var count = 0
        let result = handle.library.functions.pointee.easy_send(
          handle.easy, chunk.baseAddress?.advanced(by: unsent.lowerBound), unsent.count, &count)
        if result == LIBRE_CURL_AGAIN { return taken }
        try check(result)
        unsent = (unsent.lowerBound + min(count, unsent.count))..<unsent.upperBound
      }
    }

    var hasUnsent: Bool { !unsent.isEmpty }

    /// Returns up to 16 KiB; nil if nothing is there now. Throws `unavailable` if the connection has ended.
    func receive() throws(Verdict) -> [UInt8]? {
      var count = 0
      let result = handle.library.functions.pointee.easy_recv(handle.easy, inbox.baseAddress, inbox.count, &count)
      if result == LIBRE_CURL_AGAIN { return nil }
      try check(result)
      guard count > 0 else { throw .unavailable(reason: "\(words) closed the connection") }
      return Array(inbox.prefix(count))
    }

    /// Waits until the server has sent something, or with `forWriting` takes something, at most a tenth of a second.
    func wait(forWriting: Bool) throws(Verdict) {
      try handle.wait(for: socket, forWriting: forWriting, milliseconds: 100)
    }

    private func check(_ result: UInt32) throws(Verdict) {
      guard result != LIBRE_CURL_OK else { return }
      throw handle.library.error(result, verification: 0, at: words, trusting: nil, remedy: "")
    }
  }
#endif
