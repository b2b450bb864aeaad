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

    private func failure(_ request: HTTPRequest, timeoutSeconds: Int = ampleSeconds) async -> DeliveryError? {
      do throws(DeliveryError) {
        _ = try await courier.perform(request, timeoutSeconds: timeoutSeconds)
        return nil
      } catch {
        return error
      }
    }

    /// A fault of a connection, with the end of the error's reason.
    enum Fault: String, CaseIterable {
      case closedAtOnce = "Server returned nothing (no headers, no data)"
      case resetAtOnce = "Failure when receiving data from the peer"
      case resetInBody = "Failure when receiving data from the peer "
      case resetWhileSending = "Failed sending data to the peer"
      case cutByLength = "Transferred a partial file"
      case cutInChunk = "Transferred a partial file "
      case garbage = "does not answer in HTTP"
      case endlessHeaders = "answers with too many headers"
      case manyHeaders = "answers with too many headers "

      var isOf: [String] {
        // A reset is noticed by whichever of the two comes first.
        switch self {
        case .resetAtOnce, .resetInBody, .resetWhileSending:
          [Self.resetAtOnce.rawValue, Self.resetWhileSending.rawValue]
        default: [rawValue.trimmingCharacters(in: .whitespaces)]
        }
      }

      @Sendable func script(_ connection: Connection) {
        switch self {
        case .closedAtOnce: _ = connection.request()
        case .resetAtOnce:
          _ = connection.request()
          connection.reset()
        case .resetInBody:
          _ = connection.request()
          connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
          connection.waitUntilRead()
          connection.reset()
        case .resetWhileSending:
          _ = connection.head()
          connection.reset()
        case .cutByLength:
          _ = connection.request()
          connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
        case .cutInChunk:
          _ = connection.request()
          connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n50\r\nabc")
        case .garbage:
          _ = connection.request()
          connection.send("220 mail.example ESMTP\r\n")
        case .endlessHeaders:
          _ = connection.request()
          connection.send("HTTP/1.1 200 OK\r\n")
          while connection.send("X: " + String(repeating: "x", count: 1000) + "\r\n") {}
        case .manyHeaders:
          _ = connection.request()
          connection.send("HTTP/1.1 200 OK\r\n" + String(repeating: "X: y\r\n", count: 300) + "\r\n")
        }
      }
    }

    @Test("reports the server as unavailable if the answer is incomplete", arguments: Fault.allCases)
    func fault(_ fault: Fault) async throws {
      let server = try LoopbackServer(fault.script)
      let error = await failure(HTTPRequest(.post, server.url(), body: [UInt8](repeating: 1, count: 20_000_000)))
      guard case .unavailable(let reason) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(reason.contains("http://127.0.0.1:\(server.port)"))
      #expect(fault.isOf.contains { reason.hasSuffix($0) }, "\(reason)")
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

    /// libcurl ends the request after its timeout. A second later our thread would, on a machine that is very busy.
    private func timedOut(_ server: LoopbackServer) -> [DeliveryError?] {
      ["http://127.0.0.1:\(server.port) did not answer before the timeout", "no answer within 2 s"]
        .map { .unavailable(reason: $0) }
    }

    @Test("reports the server as unavailable if it never answers")
    func hangs() async throws {
      let server = try LoopbackServer { $0.hang() }
      let error = await failure(HTTPRequest(.get, server.url()), timeoutSeconds: 1)
      #expect(timedOut(server).contains(error))
    }

    @Test("reports the server as unavailable if its answer arrives very slowly and never ends")
    func drops() async throws {
      let server = try LoopbackServer { connection in
        connection.send("HTTP/1.1 200 OK\r\n\r\n")
        while connection.send("x") { connection.waitUntilRead() }
      }
      let error = await failure(HTTPRequest(.get, server.url()), timeoutSeconds: 1)
      #expect(timedOut(server).contains(error))
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

    @Test("sends nothing if its task was cancelled before the request")
    func cancelledBefore() async throws {
      let server = try LoopbackServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        return await failure(HTTPRequest(.get, server.url()))
      }
      task.cancel()
      #expect(await task.value == .unavailable(reason: "cancelled"))
      #expect(server.connections == 0)
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
      arguments: ["a\r\nX-Injected: 1", "a\nb", "a\0b", "\u{7F}"])
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
        "", "/api", "127.0.0.1", "ftp://127.0.0.1/x", "file:///etc/passwd", "http://", "http://a b/", "http://a/\0b",
        "http://a/\r\nX: y", "http://user:s3cret@127.0.0.1/", "http://user@127.0.0.1/", "http://:s3cret@127.0.0.1/",
        "gopher://127.0.0.1/", "http://127.0.0.1:99999/", "http://[::1/", "http://exa\u{7F}mple/",
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
