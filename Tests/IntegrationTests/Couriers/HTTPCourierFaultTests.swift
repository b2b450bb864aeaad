// SPDX-License-Identifier: Apache-2.0
@testable import TextFormats

#if CURL
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  @testable import SampleSync

  @Suite("The HTTP courier, when things go wrong", .startsProcesses)
  struct HTTPCourierFaultTests {
    let courier = HTTPCourier(agent: "libre/1.2.3")

    private func failure(_ request: HTTPRequest, timeoutSeconds: Int = ampleSeconds) async -> Verdict? {
      await .of { () async throws(Verdict) in
        _ = try await courier.perform(request, timeoutSeconds: timeoutSeconds)
      }
    }

    /// How a connection goes wrong, and the ends of the reasons that say so.
    struct Fault: Sendable, CustomTestStringConvertible {
      let testDescription: String
      let reasons: [String]
      /// What the server does when it has read the request.
      let answer: @Sendable (Connection) -> Void
    }

    private static let faults = [
      Fault(testDescription: "closed at once", reasons: ["Server returned nothing (no headers, no data)"]) { _ in },
      // A reset is noticed by whichever of the two comes first.
      Fault(
        testDescription: "reset",
        reasons: ["Failure when receiving data from the peer", "Failed sending data to the peer"]
      ) { $0.reset() },
      Fault(testDescription: "cut off", reasons: ["Transferred a partial file"]) {
        $0.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
      },
      Fault(testDescription: "garbage", reasons: ["does not answer in HTTP"]) { $0.send("220 mail.example ESMTP\r\n") },
      Fault(testDescription: "endless headers", reasons: ["answers with too many headers"]) { connection in
        connection.send("HTTP/1.1 200 OK\r\n")
        while connection.send("X: " + String(repeating: "x", count: 1000) + "\r\n") {}
      },
      Fault(testDescription: "many headers", reasons: ["answers with too many headers"]) {
        $0.send("HTTP/1.1 200 OK\r\n" + String(repeating: "X: y\r\n", count: 300) + "\r\n")
      },
    ]

    @Test("reports the server as unavailable if the answer is incomplete", arguments: faults)
    func fault(_ fault: Fault) async throws {
      let server = try LoopbackServer { connection in
        _ = connection.request()
        fault.answer(connection)
      }
      let error = await failure(HTTPRequest(.post, server.url(), body: [UInt8](repeating: 1, count: 20_000_000)))
      guard case .unavailable(let reason, _) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(reason.contains("http://127.0.0.1:\(server.port)"))
      #expect(fault.reasons.contains { reason.hasSuffix($0) }, "\(reason)")
    }

    @Test("reports the server as unavailable if it is not running")
    func refused() async throws {
      let port = try LoopbackServer.closedPort()
      #expect(
        await failure(HTTPRequest(.get, "http://127.0.0.1:\(port)/"))
          == .unavailable(reason: "http://127.0.0.1:\(port): Couldn't connect to server"))
      #expect(
        await failure(HTTPRequest(.get, "http://nowhere.invalid/"))
          == .unavailable(reason: "http://nowhere.invalid:80: Couldn't resolve host name"))
    }

    @Test("reports the server as unavailable if its answer never begins or never ends", arguments: [false, true])
    func endless(begins: Bool) async throws {
      let server = try LoopbackServer { connection in
        if !begins { return connection.hang() }
        connection.send("HTTP/1.1 200 OK\r\n\r\n")
        while connection.send("x") { connection.waitUntilRead() }
      }
      // libcurl ends the request after its timeout. A second later our thread would, on a machine that is very busy.
      let expected: [Verdict?] = [
        .unavailable(reason: "http://127.0.0.1:\(server.port) did not answer before the timeout"),
        .unavailable(reason: "no answer within 2 s"),
      ]
      #expect(await expected.contains(failure(HTTPRequest(.get, server.url()), timeoutSeconds: 1)))
    }

    @Test("ends when its task is cancelled, and can be used for the next request")
    func cancelled() async throws {
      let server = try LoopbackServer { connection in
        guard let request = connection.request() else { return }
        if request.line.contains("endless") {
          // Ten bytes a second: libcurl would end a connection that is silent for a minute.
          connection.send("HTTP/1.1 200 OK\r\n\r\n")
          while connection.send("x") { Thread.sleep(forTimeInterval: 0.1) }
          return
        }
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      }
      let task = Task { await failure(HTTPRequest(.get, server.url("/endless")), timeoutSeconds: 10 * ampleSeconds) }
      try await eventually("the request has arrived") { () async in !server.requests.isEmpty }
      task.cancel()
      #expect(await task.value == .unavailable(reason: "cancelled"))
      // The courier does one request after the other: this one would time out if the first still went on.
      #expect(try await courier.perform(HTTPRequest(.get, server.url()), timeoutSeconds: ampleSeconds).status == 200)
    }

    @Test("keeps the first MiB of an answer of 100 MB, and reads no further")
    func endlessBody() async throws {
      let isReadWhole = Mutex(false)
      let server = try LoopbackServer { connection in
        _ = connection.request()
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
        let part = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
        for _ in 0..<1000 { guard connection.send(part) else { return } }
        isReadWhole.withLock { $0 = true }
      }
      let response = try await courier.perform(HTTPRequest(.get, server.url()), timeoutSeconds: ampleSeconds)
      #expect(response.status == 200)
      #expect(response.body == [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20))
      #expect(!isReadWhole.withLock { $0 })
    }

    @Test("returns the answer of a server that refuses a large body but still reads it")
    func tooLarge() async throws {
      let server = try LoopbackServer { connection in
        guard let head = connection.head() else { return }
        connection.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        _ = connection.body(of: head)
      }
      let request = HTTPRequest(.post, server.url(), body: [UInt8](repeating: 1, count: 20_000_000))
      #expect(try await courier.perform(request, timeoutSeconds: ampleSeconds).status == 413)
    }

    @Test(
      "sends no header with a line break or a NUL in it, and does not repeat its value",
      arguments: ["a\r\nX-Injected: 1", "a\0b"])
    func injection(_ text: String) async throws {
      let server = try LoopbackServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      let headers = [
        HTTPRequest.Header("X-Key", secret: Secret(text)), .init("X-Key", text),
        .init("X-Key", secret: Secret("a"), prefix: text),
      ]
      for header in headers {
        #expect(
          await failure(HTTPRequest(.get, server.url(), headers: [header]))
            == .misdirected(reason: "the value of the header X-Key contains a line break or another control character")
        )
      }
      #expect(
        await failure(HTTPRequest(.get, server.url(), headers: [.init("X" + text, "a")]))
          == .misdirected(reason: "a header has an invalid name"))
      #expect(server.connections == 0)
    }

    @Test(
      "refuses a URL that is invalid, not HTTP, or has a password in it, and does not repeat it",
      arguments: [
        "", "127.0.0.1", "file:///etc/passwd", "http://a/\r\nX: y", "http://user@127.0.0.1/",
        "http://:s3cret@127.0.0.1/", "http://127.0.0.1:99999/",
      ])
    func badURL(_ url: String) async throws {
      #expect(
        await failure(HTTPRequest(.get, url))
          == .misdirected(
            reason: "invalid URL: expected http:// or https:// without user name and password"
          ))
    }
  }
#endif
