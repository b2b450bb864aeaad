// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import SampleStore
import Testing
import TextFormats

@testable import GlucoseServer

@Suite("Access to the server")
struct ServerAccessTests {
  private static let secret = "correct horse battery"
  private static let now = Instant(secondsSince1970: 1_767_265_570)

  private func answer(
    _ request: ServerRequest, secret: String? = nil, hosts: Set<String> = [], origins: Set<String> = [],
    checksHost: Bool = true, endpoints: [any Endpoint] = [Values(), Greeting()]
  ) throws -> ServerAnswer {
    let known = try secret.map { try #require(ServerSecret($0)) }
    let access = AccessRules(secret: known, hosts: hosts, origins: origins, checksHost: checksHost)
    var core = ServerCore(access: access, unit: .milligramsPerDecilitre)
    core.endpoints = endpoints
    let answer = core.answer(to: request, from: Self.snapshot, now: Self.now, store: nil)
    return try #require(answer)
  }

  private static let snapshot = ServerSnapshot(
    revision: "1",
    glucose: [
      ServedGlucose(
        id: "65a1f0c2d4b37e08c9a10f22", time: now, concentration: GlucoseConcentration(milligramsPerDecilitre: 118),
        device: "libre")
    ])

  /// Answers with the number of values that it sees.
  private struct Values: Endpoint {
    func answer(_ request: ServerRequest, _ context: ServerContext) throws(StoreError) -> ServerAnswer? {
      request.path == ["values"] ? .json { $0.value(context.snapshot.glucose.count) } : nil
    }
  }

  /// Answers everybody, with what it sees.
  private struct Greeting: Endpoint {
    var isOpen: Bool { true }

    func answer(_ request: ServerRequest, _ context: ServerContext) throws(StoreError) -> ServerAnswer? {
      guard request.path == ["greeting"] else { return nil }
      return .json { $0.string("\(context.isAuthorized) \(context.snapshot.glucose.count)") }
    }
  }

  private func request(_ target: String, _ headers: (name: String, value: String)..., method: String = "GET")
    -> ServerRequest
  {
    ServerRequest(method: method, target: target, headers: headers)
  }

  // MARK: The secret

  @Test("without a secret every client may read, whatever it sends")
  func open() throws {
    for value in ["", "wrong", "null"] {
      #expect(try answer(request("/values?token=\(value)", ("api-secret", value))).status == 200)
    }
  }

  @Test("every form in which clients send a secret is accepted")
  func forms() throws {
    let known = try #require(ServerSecret(Self.secret))
    let token = known.token(now: Self.now)
    let sha1 = known.sha1
    let escaped = "correct%20horse%20battery"
    let requests = [
      request("/values", ("api-secret", sha1)), request("/values", ("API-SECRET", sha1.uppercased())),
      request("/values", ("api-secret", Self.secret)), request("/values", ("api-secret", "token=\(Self.secret)")),
      request("/values", ("api-secret", "token=\(sha1)")), request("/values?token=\(escaped)"),
      request("/values?token=\(sha1)"), request("/values?secret=\(sha1)"),
      request("/values", ("Authorization", "Bearer \(Self.secret)")),
      request("/values", ("authorization", "bearer \(token)")),
    ]
    for request in requests { #expect(try answer(request, secret: Self.secret).status == 200, "\(request)") }
  }

  @Test("without the secret a request gets 401 with the message that clients know, which notes if another was sent")
  func refused() throws {
    let requests: [(ServerRequest, ServerAnswer.Client)] = [
      (request("/values"), .unknown), (request("/values", ("api-secret", "null")), .unknown),
      (request("/values?token="), .unknown), (request("/unknown"), .unknown),
      (request("/values", method: "POST"), .unknown),
      (request("/values", ("api-secret", "correct horse batterx")), .wrongSecret),
      (request("/values", ("authorization", "Bearer a.b.c")), .wrongSecret),
      (request("/api/v2/authorization/request/wrong"), .wrongSecret),
    ]
    for (request, client) in requests {
      let answer = try answer(request, secret: Self.secret)
      #expect(answer.status == 401 && answer.client == client, "\(request)")
      #expect(
        String(decoding: answer.body, as: UTF8.self)
          == #"{"status":401,"message":"Unauthorized","description":"Invalid/Missing"}"#)
    }
    #expect(try answer(request("/greeting?token=wrong"), secret: Self.secret).client == .wrongSecret)
    #expect(try answer(request("/values?token=\(Self.secret)"), secret: Self.secret).client == .authorized)
    #expect(try answer(request("/values")).client == .authorized)
  }

  @Test("a secret has 12 bytes, and its SHA-1 is that of standard tools")
  func secrets() throws {
    // printf abcdefghijkl | sha1sum
    let known = try #require(ServerSecret("abcdefghijkl"))
    #expect(known.sha1 == "eb4608cebfcfd4df81410cbd06507ea6af978d9c")
    #expect(!known.matches("eb4608cebfcfd4df81410cbd06507ea6af978d9d") && ServerSecret("elevenbytes") == nil)
  }

  @Test("the last path component may be the secret in a token request only, whose answer no cache may keep")
  func tokenRequest() throws {
    let sha1 = try #require(ServerSecret(Self.secret)).sha1
    let got = try answer(
      request("/api/v2/authorization/request/\(sha1)"), secret: Self.secret, endpoints: Endpoints.all)
    #expect(got.status == 200 && got.headers.filter { $0.name == "Cache-Control" }.map(\.value) == ["no-store"])
    #expect(try answer(request("/api/v2/authorization/request/\(sha1)"), secret: Self.secret).status == 404)
    #expect(try answer(request("/values/\(sha1)"), secret: Self.secret).status == 401)
  }

  @Test("a token expires after eight hours, and changing any byte makes it invalid")
  func tokens() throws {
    let known = try #require(ServerSecret(Self.secret))
    let token = known.token(now: Self.now)
    #expect(known.accepts(token: token, now: Self.now))
    #expect(known.accepts(token: token, now: Self.now.adding(minutes: 479)))
    #expect(!known.accepts(token: token, now: Self.now.adding(minutes: 480)))
    let bytes = Array(token.utf8)
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 1
      #expect(!known.accepts(token: String(decoding: changed, as: UTF8.self), now: Self.now), "byte \(index)")
    }
    let other = try #require(ServerSecret("another secret"))
    #expect(!other.accepts(token: token, now: Self.now))
  }

  @Test("an open endpoint can be used without the secret, and then sees no value")
  func openEndpoint() throws {
    let wanted = try answer(request("/greeting"), secret: Self.secret)
    #expect(String(decoding: wanted.body, as: UTF8.self) == "\"false 0\"")
    let known = try answer(request("/greeting?token=\(Self.secret)"), secret: Self.secret)
    #expect(String(decoding: known.body, as: UTF8.self) == "\"true 1\"")
  }

  // MARK: Web pages

  @Test(
    "a request for another host name is refused, which stops a page whose domain name points here",
    arguments: [
      ("localhost:17580", 200), ("LOCALHOST", 200), ("127.0.0.1:17580", 200), ("[::1]:17580", 200),
      ("192.168.1.7", 200),
      ("evil.example:17580", 421), ("127.0.0.1.evil.example", 421), ("1.2.3.4.5", 421), ("1.2.3.256", 421),
      ("localhost.evil.example", 421), ("", 421), ("glucose.lan", 200), ("Glucose.LAN:80", 200), ("[::1]", 200),
    ])
  func hosts(host: String, status: Int) throws {
    #expect(try answer(request("/values", ("Host", host)), hosts: ["glucose.lan"]).status == status)
  }

  @Test(
    "a malformed host, and a second Host field, get 400, with and without a secret",
    arguments: [
      ["[evil]"], ["[::1].evil.example"], ["127.0.0.1:80@evil.example"], ["+1.+2.3.4"], ["[::1"], ["localhost:x"],
      ["a b"], ["localhost", "localhost"], ["localhost", "evil.example"],
    ])
  func malformedHost(hosts: [String]) throws {
    let request = ServerRequest(
      method: "GET", target: "/values?token=\(Self.secret)", headers: hosts.map { (name: "Host", value: $0) })
    #expect(try answer(request).status == 400)
    #expect(try answer(request, secret: Self.secret).status == 400)
  }

  @Test("any host name is accepted if a secret is required, and on a socket that no browser can reach")
  func anyHost() throws {
    let host = (name: "Host", value: "evil.example")
    #expect(try answer(request("/values?token=\(Self.secret)", host), secret: Self.secret).status == 200)
    #expect(try answer(request("/values", host), checksHost: false).status == 200)
  }

  @Test("only pages of configured sites may read, and a browser's preflight request needs no secret")
  func origins() throws {
    let site = "https://dashboard.example"
    func field(_ name: String, of answer: ServerAnswer) -> String? { answer.headers.first { $0.name == name }?.value }
    let allowed = try answer(request("/values", ("Origin", site)), origins: [site])
    #expect(field("Access-Control-Allow-Origin", of: allowed) == site && field("Vary", of: allowed) == "Origin")
    for other in ["https://evil.example", "https://dashboard.example.evil.example", "null"] {
      let answer = try answer(request("/values", ("Origin", other)), origins: [site])
      #expect(field("Access-Control-Allow-Origin", of: answer) == nil && field("Vary", of: answer) == "Origin")
    }
    let none = try answer(request("/values", ("Origin", site)))
    #expect(field("Access-Control-Allow-Origin", of: none) == nil && field("Vary", of: none) == nil)
    let preflight = try answer(
      request("/values", ("Origin", site), method: "OPTIONS"), secret: Self.secret, origins: [site])
    #expect(preflight.status == 204 && preflight.body.isEmpty)
    #expect(field("Access-Control-Allow-Headers", of: preflight) == "api-secret, authorization, content-type")
    #expect(field("Access-Control-Allow-Origin", of: preflight) == site)
  }

  // MARK: What is answered

  @Test("a request that would write gets 405 and the reason, and no answer repeats the client's input")
  func writing() throws {
    for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE", "X"] {
      let answer = try answer(request("/values", method: method))
      #expect(answer.status == 405 && answer.headers.contains { $0 == ("Allow", "GET, HEAD, OPTIONS") })
    }
    for target in ["/<q7x>", "/values/<q7x>", "/?<q7x>=<q7x>"] {
      let answer = try answer(request(target, ("Host", "localhost")))
      #expect(answer.status == 404 && !String(decoding: answer.body, as: UTF8.self).contains("q7x"))
    }
  }

  @Test("an endpoint that needs the store is called again with the store")
  func storeDemand() throws {
    struct Older: Endpoint {
      func answer(_ request: ServerRequest, _ context: ServerContext) throws(StoreError) -> ServerAnswer? {
        let count = try context.older(nil, nil, 1).count
        return .json { $0.value(count) }
      }
    }
    var core = ServerCore(access: AccessRules(), unit: .milligramsPerDecilitre)
    core.endpoints = [Older()]
    #expect(core.answer(to: request("/"), from: Self.snapshot, now: Self.now, store: nil) == nil)
    let store = StoredValues(
      path: "/nonexistent", calibration: .factory, ignoredSources: [], unit: .milligramsPerDecilitre)
    #expect(core.answer(to: request("/"), from: Self.snapshot, now: Self.now, store: store)?.status == 503)
  }
}
