// SPDX-License-Identifier: Apache-2.0
import TextFormats

#if CURL
  import Foundation
  import TestSupport
  import Testing

  @testable import SampleSync

  @Suite("The HTTP courier and redirects", .startsProcesses)
  struct HTTPRedirectTests {
    let courier = HTTPCourier(agent: "libre/1.2.3")
    private let headers = [HTTPRequest.Header("api-secret", secret: Secret("s3cret"))]

    @Test("are followed on the same server with the same method, body and headers", arguments: [307, 308])
    func same(_ status: Int) async throws {
      let server = try LoopbackServer { connection in
        while let request = connection.request() {
          connection.send(
            request.line.hasPrefix("PUT /new/x?y=1 ")
              ? "HTTP/1.1 200 OK\r\nX-Last: 1\r\nContent-Length: 0\r\n\r\n"
              : "HTTP/1.1 \(status) Moved\r\nLocation: /new/x?y=1\r\nContent-Length: 2\r\n\r\nno")
        }
      }
      let response = try await courier.perform(
        HTTPRequest(.put, server.url("/old"), headers: headers, body: [1, 2, 3]), timeoutSeconds: ampleSeconds)
      #expect(response == HTTPResponse(status: 200, headers: [("X-Last", "1"), ("Content-Length", "0")]))
      #expect(server.requests.map(\.line) == ["PUT /old HTTP/1.1", "PUT /new/x?y=1 HTTP/1.1"])
      #expect(server.requests.map(\.body) == [[1, 2, 3], [1, 2, 3]])
      #expect(server.requests.map { $0["api-secret"] } == ["s3cret", "s3cret"])
    }

    @Test(
      "are followed three times at most, and not if they would change the method",
      arguments: [(307, 4), (301, 1), (302, 1), (303, 1)])
    func others(_ status: Int, requests: Int) async throws {
      let server = try LoopbackServer.answering("HTTP/1.1 \(status) Moved\r\nLocation: /\r\nContent-Length: 0\r\n\r\n")
      let response = try await courier.perform(HTTPRequest(.post, server.url()), timeoutSeconds: ampleSeconds)
      #expect(response.status == status && response[header: "Location"] == "/")
      #expect(server.requests.count == requests)
    }

    @Test("are not followed to another host, port or scheme, so that no secret is sent there")
    func elsewhere() async throws {
      let other = try LoopbackServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      let places = [
        other.url(), "//127.0.0.1:\(other.port)/", "https://127.0.0.1:SAME/", "file:///etc/passwd",
        // Another name of this machine is another host too.
        "http://localhost:SAME/", "http://user:pw@127.0.0.1:SAME/", "http://[",
      ]
      for place in places {
        let server = try LoopbackServer { connection in
          while let request = connection.request() {
            let port = request["Host"]?.split(separator: ":").last ?? ""
            connection.send(
              "HTTP/1.1 308 Moved\r\nLocation: \(place.replacing("SAME", with: port))\r\nContent-Length: 0\r\n\r\n")
          }
        }
        let response = try await courier.perform(
          HTTPRequest(.post, server.url(), headers: headers, body: [1]), timeoutSeconds: ampleSeconds)
        #expect(response.status == 308, "\(place)")
        #expect(server.requests.count == 1, "\(place)")
      }
      #expect(other.connections == 0)
    }
  }
#endif
