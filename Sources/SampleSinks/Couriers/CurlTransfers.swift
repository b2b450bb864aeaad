// SPDX-License-Identifier: Apache-2.0
#if CURL
  import CCurl

  /// Requests by HTTP with one libcurl handle, which keeps connections between them.
  ///
  /// Unchecked: everything except `wake` is called on the courier's thread only.
  final class CurlTransfers: @unchecked Sendable {
    private let library: CurlLibrary
    private let handle: CurlHandle

    init(_ library: CurlLibrary) throws(DeliveryError) {
      self.library = library
      handle = try CurlHandle(library)
    }

    /// Wakes a waiting transfer to check whether it is still wanted.
    func wake() { handle.wake() }

    struct Settings {
      let agent: String
      let authorities: String?
      let milliseconds: Int
    }

    struct Outcome {
      let response: HTTPResponse
      let location: String?
    }

    /// Sends `request` to `url`, whose origin is `origin`.
    func perform(
      _ request: HTTPRequest, to url: String, _ origin: CurlLibrary.Origin, _ settings: Settings,
      while isWanted: () -> Bool
    ) throws(DeliveryError) -> Outcome {
      library.functions.easy_reset(handle.easy)
      let headers = HeaderList(library)
      try headers.add(of: request)
      let receiver = Receiver()
      try set(request, url, headers, receiver, settings)
      // libcurl would use the proxy for this machine too, which could then read everything.
      if SinkAddress.isLoopback(origin.host) { try handle.text(LIBRE_CURL_OPT_NOPROXY, "*") }
      // Reset the handle before the objects given to it are freed.
      defer {
        handle.release()
        library.functions.easy_reset(handle.easy)
      }
      let result = try handle.run(while: isWanted)
      return try withExtendedLifetime((headers, receiver)) { () throws(DeliveryError) in
        let answer = receiver.answer
        let isCutByUs = result == LIBRE_CURL_WRITE_ERROR && answer.limit == .body
        if result == LIBRE_CURL_WRITE_ERROR, answer.limit == .head {
          throw .unavailable(reason: "\(origin.words) answers with too many headers")
        }
        guard result == LIBRE_CURL_OK || isCutByUs else {
          throw library.error(
            result, verification: handle.number(LIBRE_CURL_INFO_SSL_VERIFYRESULT), at: origin.words,
            trusting: settings.authorities,
            remedy: "put its CA into /usr/local/share/ca-certificates and run sudo update-ca-certificates")
        }
        return Outcome(
          response: HTTPResponse(
            status: handle.number(LIBRE_CURL_INFO_RESPONSE_CODE), headers: answer.headers, body: answer.body),
          location: withUnsafePointer(to: library.functions) {
            libre_curl_text($0, handle.easy, LIBRE_CURL_INFO_REDIRECT_URL).map { String(cString: $0) }
          })
      }
    }

    private func set(
      _ request: HTTPRequest, _ url: String, _ headers: HeaderList, _ receiver: Receiver, _ settings: Settings
    ) throws(DeliveryError) {
      try handle.setConnection(authorities: settings.authorities, milliseconds: settings.milliseconds)
      try handle.text(LIBRE_CURL_OPT_URL, url)
      try handle.set(LIBRE_CURL_OPT_TIMEOUT_MS, settings.milliseconds)
      try handle.set(LIBRE_CURL_OPT_LOW_SPEED_LIMIT, 1)
      try handle.set(LIBRE_CURL_OPT_LOW_SPEED_TIME, Self.maximumSilentSeconds)
      try handle.set(LIBRE_CURL_OPT_FOLLOWLOCATION, 0)
      try handle.set(LIBRE_CURL_OPT_SUPPRESS_CONNECT_HEADERS, 1)
      let curl = library.functions
      try handle.text(LIBRE_CURL_OPT_USERAGENT, settings.agent)
      if request.method != .get || !request.body.isEmpty { try set(request.body, with: request.method) }
      try handle.check(
        withUnsafePointer(to: curl) { libre_curl_set_list($0, handle.easy, LIBRE_CURL_OPT_HTTPHEADER, headers.list) })
      let user = Unmanaged.passUnretained(receiver).toOpaque()
      try handle.pointer(LIBRE_CURL_OPT_HEADERDATA, user)
      try handle.pointer(LIBRE_CURL_OPT_WRITEDATA, user)
      try handle.check(
        withUnsafePointer(to: curl) {
          libre_curl_set_receiver($0, handle.easy, LIBRE_CURL_OPT_HEADERFUNCTION) { bytes, size, count, user in
            Receiver.of(user)?.answer.takeLine(.init(start: bytes, count: size * count)) == true ? size * count : 0
          }
        })
      try handle.check(
        withUnsafePointer(to: curl) {
          libre_curl_set_receiver($0, handle.easy, LIBRE_CURL_OPT_WRITEFUNCTION) { bytes, size, count, user in
            Receiver.of(user)?.answer.takeBody(.init(start: bytes, count: size * count)) == true ? size * count : 0
          }
        })
    }

    /// Maximum silence of a server in seconds, also while it works.
    private static let maximumSilentSeconds = 60

    private func set(_ body: [UInt8], with method: HTTPRequest.Method) throws(DeliveryError) {
      try handle.set(LIBRE_CURL_OPT_POST, 1)
      try handle.text(LIBRE_CURL_OPT_CUSTOMREQUEST, method.rawValue)
      // Set the size before the bytes, which libcurl copies: otherwise it would search for a NUL.
      try handle.check(
        withUnsafePointer(to: library.functions) {
          libre_curl_set_size($0, handle.easy, LIBRE_CURL_OPT_POSTFIELDSIZE_LARGE, Int64(body.count))
        })
      if body.isEmpty { return try handle.text(LIBRE_CURL_OPT_COPYPOSTFIELDS, "") }
      try handle.check(
        withUnsafePointer(to: library.functions) { curl in
          body.withUnsafeBytes {
            libre_curl_set_pointer(curl, handle.easy, LIBRE_CURL_OPT_COPYPOSTFIELDS, $0.baseAddress)
          }
        })
    }
  }

  /// Target of the C callbacks.
  private final class Receiver {
    var answer = ReceivedAnswer()

    static func of(_ user: UnsafeMutableRawPointer?) -> Receiver? {
      user.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }
  }

  /// libcurl's list of header lines.
  private final class HeaderList {
    private(set) var list: OpaquePointer?
    private let library: CurlLibrary

    init(_ library: CurlLibrary) { self.library = library }

    deinit { library.functions.slist_free_all(list) }

    /// Adds the request's headers, without two that libcurl would add: a query whether the body is wanted, and a
    /// content type that the body does not have.
    func add(of request: HTTPRequest) throws(DeliveryError) {
      try add("Expect:")
      if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) { try add("Content-Type:") }
      for header in request.headers { try add(header.revealedLine) }
    }

    private func add(_ line: String) throws(DeliveryError) {
      guard let longer = library.functions.slist_append(list, line) else {
        throw .unavailable(reason: "libcurl has no memory")
      }
      list = longer
    }
  }

  extension HTTPRequest.Header {
    fileprivate var revealedLine: String {
      let value = revealedValue
      // libcurl treats `Name:` as a header to leave out, and `Name;` as a header without a value.
      return value.isEmpty ? "\(name);" : "\(name): \(value)"
    }
  }
#endif
