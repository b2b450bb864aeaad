// SPDX-License-Identifier: Apache-2.0
#if CURL
  import CCurl

  /// A libcurl handle, with connections kept between transfers.
  ///
  /// Unchecked: everything except `wake` is called on the courier's thread only.
  final class CurlTransfers: @unchecked Sendable {
    private let library: CurlLibrary
    private let multi: UnsafeMutableRawPointer
    private let easy: UnsafeMutableRawPointer

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

    private static let noMemory = DeliveryError.unavailable(reason: "libcurl has no memory")

    /// Wakes a waiting transfer to check whether it is still wanted. libcurl allows only this call on any thread.
    func wake() { _ = library.functions.multi_wakeup(multi) }

    struct Settings {
      let agent: String
      let authorities: String?
      let milliseconds: Int
    }

    /// Result of a transfer, with the target of a redirect.
    struct Outcome {
      let response: HTTPResponse
      let location: String?
    }

    /// Sends `request` to `url`, whose origin is `origin`.
    func perform(
      _ request: HTTPRequest, to url: String, _ origin: CurlLibrary.Origin, _ settings: Settings,
      while isWanted: () -> Bool
    ) throws(DeliveryError) -> Outcome {
      library.functions.easy_reset(easy)
      let headers = HeaderList(library)
      try headers.add(of: request)
      let receiver = Receiver()
      try set(request, url, headers, receiver, settings)
      // libcurl would use the proxy for this machine too, which could then read everything.
      if SinkAddress.isLoopback(origin.host) { try text(LIBRE_CURL_OPT_NOPROXY, "*") }
      let result = try run(while: isWanted)
      // Reset the handle before the objects given to it are freed.
      defer { library.functions.easy_reset(easy) }
      return try withExtendedLifetime((headers, receiver)) { () throws(DeliveryError) in
        let answer = receiver.answer
        let isCutByUs = result == LIBRE_CURL_WRITE_ERROR && answer.limit == .body
        if result == LIBRE_CURL_WRITE_ERROR, answer.limit == .head {
          throw .unavailable(reason: "\(origin.words) answers with too many headers")
        }
        guard result == LIBRE_CURL_OK || isCutByUs else {
          throw library.error(
            result, verification: number(LIBRE_CURL_INFO_SSL_VERIFYRESULT), at: origin, trusting: settings.authorities)
        }
        return Outcome(
          response: HTTPResponse(
            status: number(LIBRE_CURL_INFO_RESPONSE_CODE), headers: answer.headers, body: answer.body),
          location: withUnsafePointer(to: library.functions) {
            libre_curl_text($0, easy, LIBRE_CURL_INFO_REDIRECT_URL).map { String(cString: $0) }
          })
      }
    }

    /// Runs until the transfer is done or no longer wanted.
    private func run(while isWanted: () -> Bool) throws(DeliveryError) -> UInt32 {
      let curl = library.functions
      guard curl.multi_add_handle(multi, easy) == 0 else { throw Self.noMemory }
      defer { _ = curl.multi_remove_handle(multi, easy) }
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

    private func set(
      _ request: HTTPRequest, _ url: String, _ headers: HeaderList, _ receiver: Receiver, _ settings: Settings
    ) throws(DeliveryError) {
      try text(LIBRE_CURL_OPT_URL, url)
      try set(LIBRE_CURL_OPT_NOSIGNAL, 1)
      try set(LIBRE_CURL_OPT_TIMEOUT_MS, settings.milliseconds)
      try set(LIBRE_CURL_OPT_CONNECTTIMEOUT_MS, min(settings.milliseconds, Self.connectMilliseconds))
      try set(LIBRE_CURL_OPT_LOW_SPEED_LIMIT, 1)
      try set(LIBRE_CURL_OPT_LOW_SPEED_TIME, Self.maximumSilentSeconds)
      try set(LIBRE_CURL_OPT_FOLLOWLOCATION, 0)
      try set(LIBRE_CURL_OPT_SUPPRESS_CONNECT_HEADERS, 1)
      try set(LIBRE_CURL_OPT_SSL_VERIFYPEER, 1)
      try set(LIBRE_CURL_OPT_SSL_VERIFYHOST, 2)
      try set(LIBRE_CURL_OPT_SSLVERSION, LIBRE_CURL_SSLVERSION_TLSV1_2)
      if let authorities = settings.authorities { try text(LIBRE_CURL_OPT_CAINFO, authorities) }
      let curl = library.functions
      let knowsNames = withUnsafePointer(to: curl) {
        libre_curl_set_text($0, easy, LIBRE_CURL_OPT_PROTOCOLS_STR, "http,https") == LIBRE_CURL_OK
      }
      if !knowsNames { try set(LIBRE_CURL_OPT_PROTOCOLS, LIBRE_CURL_PROTOCOL_HTTP | LIBRE_CURL_PROTOCOL_HTTPS) }
      try text(LIBRE_CURL_OPT_USERAGENT, settings.agent)
      if request.method != .get || !request.body.isEmpty { try set(request.body, with: request.method) }
      try check(withUnsafePointer(to: curl) { libre_curl_set_list($0, easy, LIBRE_CURL_OPT_HTTPHEADER, headers.list) })
      let user = Unmanaged.passUnretained(receiver).toOpaque()
      try pointer(LIBRE_CURL_OPT_HEADERDATA, user)
      try pointer(LIBRE_CURL_OPT_WRITEDATA, user)
      try check(
        withUnsafePointer(to: curl) {
          libre_curl_set_receiver($0, easy, LIBRE_CURL_OPT_HEADERFUNCTION) { bytes, size, count, user in
            Receiver.of(user)?.answer.takeLine(.init(start: bytes, count: size * count)) == true ? size * count : 0
          }
        })
      try check(
        withUnsafePointer(to: curl) {
          libre_curl_set_receiver($0, easy, LIBRE_CURL_OPT_WRITEFUNCTION) { bytes, size, count, user in
            Receiver.of(user)?.answer.takeBody(.init(start: bytes, count: size * count)) == true ? size * count : 0
          }
        })
    }

    private static let connectMilliseconds = 10_000
    /// Maximum silence of a server in seconds, also while it works.
    private static let maximumSilentSeconds = 60

    private func set(_ body: [UInt8], with method: HTTPRequest.Method) throws(DeliveryError) {
      try set(LIBRE_CURL_OPT_POST, 1)
      try text(LIBRE_CURL_OPT_CUSTOMREQUEST, method.rawValue)
      // Set the size before the bytes, which libcurl copies: otherwise it would search for a NUL.
      try check(
        withUnsafePointer(to: library.functions) {
          libre_curl_set_size($0, easy, LIBRE_CURL_OPT_POSTFIELDSIZE_LARGE, Int64(body.count))
        })
      if body.isEmpty { return try text(LIBRE_CURL_OPT_COPYPOSTFIELDS, "") }
      try check(
        withUnsafePointer(to: library.functions) { curl in
          body.withUnsafeBytes { libre_curl_set_pointer(curl, easy, LIBRE_CURL_OPT_COPYPOSTFIELDS, $0.baseAddress) }
        })
    }

    private func set(_ option: UInt32, _ value: Int) throws(DeliveryError) {
      try check(withUnsafePointer(to: library.functions) { libre_curl_set_number($0, easy, option, value) })
    }

    private func text(_ option: UInt32, _ value: String) throws(DeliveryError) {
      try check(withUnsafePointer(to: library.functions) { libre_curl_set_text($0, easy, option, value) })
    }

    private func pointer(_ option: UInt32, _ value: UnsafeRawPointer) throws(DeliveryError) {
      try check(withUnsafePointer(to: library.functions) { libre_curl_set_pointer($0, easy, option, value) })
    }

    private func number(_ info: UInt32) -> Int {
      withUnsafePointer(to: library.functions) { libre_curl_number($0, easy, info) }
    }

    /// Checks a result. A refused option is always an error: it may be the verification.
    private func check(_ result: UInt32) throws(DeliveryError) {
      if result != LIBRE_CURL_OK {
        throw .libraryMissing(name: "an option in \(LIBRE_CURL_LIBRARY)", package: "libcurl4")
      }
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
