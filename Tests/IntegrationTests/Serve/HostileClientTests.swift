// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Clients that mean no good, over real sockets. What takes time is tested on a clock of its own
/// (GlucoseServerTests/ConnectionGuardTests).
@Suite("Clients that attack the server", .onOwnThreads, .startsProcesses)
struct HostileClientTests {
  private let server: RunningServer

  init() throws { server = try RunningServer() }

  private func expectService() throws {
    let answer = try server.ask("/api/v1/entries.json?count=3")
    #expect(answer.status == 200 && answer.text.contains("sgv"))
  }

  @Test("five hundred idle connections do not block other clients, and only half of them stay open")
  func manyConnections() throws {
    var idle: [LoopbackConnection] = []
    // Not more: libnfc's calls of select(), in other tests of this process, end it at a descriptor above 1,023.
    for _ in 0..<500 { idle.append(try #require(LoopbackConnection(to: server.port))) }
    try expectService()
    try eventually("the oldest were closed") { try server.descriptors < 320 }
    try expectService()
    // The first of them has been closed: it gets no answer any more.
    idle[0].send("GET / HTTP/1.1\r\n\r\n")
    #expect(idle[0].receivedToEnd().isEmpty)
  }

  @Test(
    "an invalid, endless or huge request is answered with 400 or not at all, and its connection is closed",
    arguments: [
      "\u{16}\u{3}\u{1} TLS", "GET / HTTP/1.1\r\nA B: c\r\n\r\n",
      "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      "GET / HTTP/1.1\r\n\((0..<10_000).map { "a\($0): b\r\n" }.joined())\r\n",
      "GET / HTTP/1.1\r\na: \(String(repeating: "a", count: 1 << 20))\r\n\r\n",
      "GET /\(String(repeating: "a", count: 1 << 20)) HTTP/1.1\r\n\r\n",
    ])
  func badRequest(text: String) throws {
    let connection = try #require(LoopbackConnection(to: server.port))
    connection.send(text)
    let answer = connection.receivedToEnd()
    #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 400 "), "\(answer.prefix(100))")
    try expectService()
  }

  @Test("no path leads into the file system")
  func paths() throws {
    for path in ["/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/store.sqlite"] {
      #expect(try server.ask(path).status == 404, "\(path)")
    }
  }

  @Test("a body that never ends is not read")
  func endlessBody() throws {
    let connection = try #require(LoopbackConnection(to: server.port))
    connection.send("POST /api/v1/entries HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n")
    let part = String(repeating: "a", count: 1 << 16)
    var count = 0
    while count < 10_000, connection.send(part) { count += 1 }
    // What fits into the buffers of both sides, far from the gigabyte that was announced.
    #expect(count < 10_000)
    try expectService()
  }
}
