// SPDX-License-Identifier: Apache-2.0
#if CURL
  import CCurl
  import TextFormats

  /// Requests by HTTP with one libcurl handle, which keeps connections between them.
  /// Unchecked: everything except `wake` is called on the courier's thread only.
  final class CurlTransfers: @unchecked Sendable {
    private let library: CurlLibrary
    private let handle: CurlHandle
    private let agent: String
    private let authorities: String?

    init(_ library: CurlLibrary, agent: String, authorities: String?) throws(Verdict) {
      (self.library, self.agent, self.authorities) = (library, agent, authorities)
      handle = try CurlHandle(library)
    }

    func wake() { handle.wake() }

    func perform(
      _ request: HTTPRequest, to url: String, _ origin: CurlLibrary.Origin, milliseconds: Int,
      while isWanted: () -> Bool
    ) throws(Verdict) -> (response: HTTPResponse, location: String?) {
      library.functions.pointee.easy_reset(handle.easy)
      let headers = HeaderList(library)
      try headers.add(of: request)
      let answer = ReceivedAnswer()
      try set(request, url, headers, answer, milliseconds: milliseconds)
      // libcurl would use the proxy for this machine too, which could then read everything.
      if SinkAddress.isLoopback(origin.host) { try handle.text(LIBRE_CURL_OPT_NOPROXY, "*") }
      // Reset the handle before the objects given to it are freed.
      defer {
        handle.release()
        library.functions.pointee.easy_reset(handle.easy)
      }
      let result = try handle.run(while: isWanted)
      return try withExtendedLifetime((headers, answer)) { () throws(Verdict) in
        let isCutByUs = result == LIBRE_CURL_WRITE_ERROR && answer.limit == .body
        if result == LIBRE_CURL_WRITE_ERROR, answer.limit == .head {
          throw .unavailable(reason: "\(origin.words) answers with too many headers")
        }
        guard result == LIBRE_CURL_OK || isCutByUs else {
          throw library.error(
            result, verification: handle.number(LIBRE_CURL_INFO_SSL_VERIFYRESULT), at: origin.words,
            trusting: authorities,
            remedy: "put its CA into /usr/local/share/ca-certificates and run sudo update-ca-certificates")
        }
        let response = HTTPResponse(
          status: handle.number(LIBRE_CURL_INFO_RESPONSE_CODE), headers: answer.headers, body: answer.body)
        let location = libre_curl_text(library.functions, handle.easy, LIBRE_CURL_INFO_REDIRECT_URL)
        return (response, location.map { String(cString: $0) })
      }
    }

    private func set(
      _ request: HTTPRequest, _ url: String, _ headers: HeaderList, _ answer: ReceivedAnswer, milliseconds: Int
    ) throws(Verdict) {
      try handle.setConnection(authorities: authorities, milliseconds: milliseconds)
      try handle.text(LIBRE_CURL_OPT_URL, url)
      try handle.set(LIBRE_CURL_OPT_TIMEOUT_MS, milliseconds)
      try handle.set(LIBRE_CURL_OPT_LOW_SPEED_LIMIT, 1)
      try handle.set(LIBRE_CURL_OPT_LOW_SPEED_TIME, Self.maximumSilentSeconds)
      try handle.set(LIBRE_CURL_OPT_FOLLOWLOCATION, 0)
      try handle.set(LIBRE_CURL_OPT_SUPPRESS_CONNECT_HEADERS, 1)
      let curl = library.functions
      try handle.text(LIBRE_CURL_OPT_USERAGENT, agent)
      if request.method != .get || !request.body.isEmpty { try set(request.body, with: request.method) }
      try handle.check(libre_curl_set_list(curl, handle.easy, LIBRE_CURL_OPT_HTTPHEADER, headers.list))
      let user = Unmanaged.passUnretained(answer).toOpaque()
      try handle.pointer(LIBRE_CURL_OPT_HEADERDATA, user)
      try handle.pointer(LIBRE_CURL_OPT_WRITEDATA, user)
      try handle.check(
        libre_curl_set_receiver(curl, handle.easy, LIBRE_CURL_OPT_HEADERFUNCTION) { bytes, size, count, user in
          ReceivedAnswer.of(user)?.takeLine(.init(start: bytes, count: size * count)) == true ? size * count : 0
        })
      try handle.check(
        libre_curl_set_receiver(curl, handle.easy, LIBRE_CURL_OPT_WRITEFUNCTION) { bytes, size, count, user in
          ReceivedAnswer.of(user)?.takeBody(.init(start: bytes, count: size * count)) == true ? size * count : 0
        })
    }

    /// Maximum silence of a server in seconds, also while it works.
    private static let maximumSilentSeconds = 60

    private func set(_ body: [UInt8], with method: HTTPRequest.Method) throws(Verdict) {
      try handle.set(LIBRE_CURL_OPT_POST, 1)
      try handle.text(LIBRE_CURL_OPT_CUSTOMREQUEST, method.rawValue)
      // Set the size before the bytes, which libcurl copies: otherwise it would search for a NUL.
      let size = Int64(body.count)
      try handle.check(libre_curl_set_size(library.functions, handle.easy, LIBRE_CURL_OPT_POSTFIELDSIZE_LARGE, size))
      if body.isEmpty { return try handle.text(LIBRE_CURL_OPT_COPYPOSTFIELDS, "") }
      try handle.pointer(LIBRE_CURL_OPT_COPYPOSTFIELDS, body)
    }
  }

  private final class HeaderList {
    private(set) var list: OpaquePointer?
    private let library: CurlLibrary
    init(_ library: CurlLibrary) { self.library = library }

    deinit { library.functions.pointee.slist_free_all(list) }

    /// Adds the headers, without two that libcurl would add: `Expect`, and a content type that the body does not have.
    func add(of request: HTTPRequest) throws(Verdict) {
      try add("Expect:")
      if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) { try add("Content-Type:") }
      for header in request.headers {
        let value = header.revealedValue
        // libcurl treats `Name:` as a header to leave out, and `Name;` as a header without a value.
        try add(value.isEmpty ? "\(header.name);" : "\(header.name): \(value)")
      }
    }

    private func add(_ line: String) throws(Verdict) {
      guard let longer = library.functions.pointee.slist_append(list, line) else { throw CurlHandle.noMemory }
      list = longer
    }
  }
#endif
