// SPDX-License-Identifier: Apache-2.0
import TextFormats

#if CURL
  import Foundation
  import TestSupport
  import Testing

  @testable import SampleSync

  @Suite("The HTTP courier", .startsProcesses)
  struct HTTPCourierTests {
    let courier = HTTPCourier(agent: "libre/1.2.3")

    @Test("sends the method, the headers and the body, and returns the answer")
    func roundTrip() async throws {
      let server = try LoopbackServer.answering(
        "HTTP/1.1 201 Created\r\nRetry-After: 30 \r\nX-Empty:\r\nX-Twice: a\r\nx-twice: b\r\n"
          + "Content-Length: 5\r\n\r\nhello"
      )
      let body = Array("[{\"sgv\":104}]\r\n\0".utf8)
      let response = try await courier.perform(
        HTTPRequest(
          .post, server.url("/api/v1/entries.json?a=b"),
          headers: [
            .init("Content-Type", "application/json"), .init("X-Empty", ""),
            .init("Authorization", secret: Secret("s3cret"), prefix: "Bearer "),
          ], body: body), timeoutSeconds: ampleSeconds)
      #expect(
        response
          == HTTPResponse(
            status: 201,
            headers: [
              ("Retry-After", "30"), ("X-Empty", ""), ("X-Twice", "a"), ("X-Twice", "b"), ("Content-Length", "5"),
            ], body: Array("hello".utf8)))
      let request = try #require(server.requests.first)
      #expect(request.line == "POST /api/v1/entries.json?a=b HTTP/1.1")
      #expect(request.body == body)
      #expect(
        request.headers.sorted() == [
          "Accept: */*", "Authorization: Bearer s3cret", "Content-Length: 16", "Content-Type: application/json",
          "Host: 127.0.0.1:\(server.port)", "User-Agent: libre/1.2.3", "X-Empty:",
        ])
    }

    @Test(
      "sends GET requests, PUT requests and POST requests with an empty body",
      arguments: [HTTPRequest.Method.get, .put, .post])
    func methods(_ method: HTTPRequest.Method) async throws {
      let server = try LoopbackServer.answering("HTTP/1.1 204 No Content\r\n\r\n")
      let response = try await courier.perform(HTTPRequest(method, server.url("/x")), timeoutSeconds: ampleSeconds)
      #expect(response == HTTPResponse(status: 204))
      let request = try #require(server.requests.first)
      #expect(request.line == "\(method.rawValue) /x HTTP/1.1")
      #expect(request["Content-Length"] == (method == .get ? nil : "0"))
      #expect(request["Content-Type"] == nil)
      #expect(request["Expect"] == nil)
      #expect(request["Accept-Encoding"] == nil)
    }

    @Test("does not wait for 100 Continue before a large body, and ignores interim answers")
    func interim() async throws {
      let server = try LoopbackServer { connection in
        guard let head = connection.head() else { return }
        connection.send("HTTP/1.1 100 Continue\r\nX-Interim: 1\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n")
        guard connection.body(of: head) != nil else { return }
        connection.send("HTTP/1.1 200 OK\r\nX-Final: 1\r\nContent-Length: 0\r\n\r\n")
      }
      let body = [UInt8](repeating: 7, count: 3_000_000)
      let response = try await courier.perform(
        HTTPRequest(.post, server.url(), body: body), timeoutSeconds: ampleSeconds)
      #expect(response == HTTPResponse(status: 200, headers: [("X-Final", "1"), ("Content-Length", "0")]))
      #expect(server.requests.first?.body == body)
      #expect(server.requests.first?["Expect"] == nil)
    }

    @Test("leaves no connection open after 200 requests and 200 couriers")
    func files() async throws {
      let server = try LoopbackServer { connection in
        _ = connection.request()
        connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nbye")
      }
      for _ in 0..<200 {
        _ = try await courier.perform(HTTPRequest(.get, server.url()), timeoutSeconds: ampleSeconds)
        _ = try await HTTPCourier(agent: "x").perform(HTTPRequest(.get, server.url()), timeoutSeconds: ampleSeconds)
      }
      #expect(server.connections == 400)
      try await eventually("all connections are closed") { () async throws in
        try Self.openConnections(to: server.port) == 0
      }
    }

    /// The sockets of clients that are connected to a port of this machine. One that is closed has no inode.
    private static func openConnections(to port: Int) throws -> Int {
      let table = try String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8)
      return table.split(separator: "\n").dropFirst().count { line in
        let columns = line.split(separator: " ")
        return columns[2].split(separator: ":").last.flatMap { Int($0, radix: 16) } == port && columns[9] != "0"
      }
    }

    @Test("performs concurrent requests one after the other, over one connection and without cookies")
    func together() async throws {
      let server = try LoopbackServer.answering(
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSet-Cookie: a=b\r\n\r\n")
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<20 {
          group.addTask { [courier] in
            try await courier.perform(HTTPRequest(.post, server.url("/\(number)")), timeoutSeconds: ampleSeconds).status
          }
        }
        for try await status in group { #expect(status == 200) }
      }
      #expect(Set(server.requests.map(\.line)).count == 20)
      #expect(server.connections == 1)
      #expect(server.requests.allSatisfy { $0["Cookie"] == nil })
    }
  }
#endif
