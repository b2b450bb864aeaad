// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Synchronization

/// A server on a free port of 127.0.0.1 that does with each connection what the test says, also what no server should.
///
/// Each connection has a thread of its own. It is closed when the script returns.
package final class LoopbackServer: Sendable {
  package let port: Int
  private let listener: Int32
  private let state = Mutex<(connections: Int, requests: [ReceivedRequest])>((0, []))

  /// The number of accepted connections.
  package var connections: Int { state.withLock { $0.connections } }
  /// What has been read by `Connection.request()`.
  package var requests: [ReceivedRequest] { state.withLock { $0.requests } }

  package init(_ script: @escaping @Sendable (Connection) -> Void) throws {
    let (listener, port) = try ReservedPort.bound(to: 0)
    guard listen(listener, 128) == 0 else {
      close(listener)
      throw POSIXError(.EADDRINUSE)
    }
    self.listener = listener
    self.port = port
    Thread.detachNewThread { [weak self] in
      while true {
        let descriptor = accept(listener, nil, nil)
        // Closed here alone, so that this thread never accepts for another server that has got the same number.
        guard descriptor >= 0 else {
          close(listener)
          return
        }
        guard let self else {
          close(descriptor)
          continue
        }
        state.withLock { $0.connections += 1 }
        let connection = Connection(descriptor) { [weak self] request in
          self?.state.withLock { $0.requests.append(request) }
        }
        Thread.detachNewThread {
          script(connection)
          connection.end()
        }
      }
    }
  }

  deinit { stop() }

  /// Makes the port refuse new connections. Existing connections continue.
  package func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  /// A URL here.
  package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  /// A server that gives each request this answer and keeps the connection.
  package static func answering(_ answer: String) throws -> LoopbackServer {
    try LoopbackServer { connection in
      while connection.request() != nil { connection.send(answer) }
    }
  }

  /// A port on which nothing listens.
  ///
  /// It is reserved until 64 more ports have been asked for, so that no other test gets it meanwhile.
  package static func closedPort() throws -> Int {
    let reserved = try ReservedPort()
    recent.withLock { recent in
      recent.append(reserved)
      if recent.count > 64 { recent.removeFirst() }
    }
    return reserved.port
  }

  private static let recent = Mutex<[ReservedPort]>([])
}

/// A port of 127.0.0.1 that refuses connections, and that the system gives to no other program.
///
/// A server that sets SO_REUSEADDR can nevertheless be started on it, as `LoopbackServer` and all servers do that the
/// tests start.
package final class ReservedPort: Sendable {
  package let port: Int
  private let descriptor: Int32

  package init() throws { (descriptor, port) = try Self.bound(to: 0) }

  deinit { close(descriptor) }

  /// A socket that is bound to a port of 127.0.0.1, or to any free one for 0, and does not listen.
  fileprivate static func bound(to wanted: Int) throws -> (descriptor: Int32, port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    // The system may still remember connections of an earlier server on this port.
    var reuse: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
    var address = LoopbackClient.address(wanted)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port: Int? = withUnsafeMutableBytes(of: &address) { bytes in
      let name = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      guard bind(descriptor, name, length) == 0, getsockname(descriptor, name, &length) == 0 else { return nil }
      return Int(bytes[2]) << 8 | Int(bytes[3])
    }
    guard let port else {
      close(descriptor)
      throw POSIXError(.EADDRNOTAVAIL)
    }
    return (descriptor, port)
  }
}

package struct ReceivedRequest: Sendable {
  /// `POST /path HTTP/1.1`
  package let line: String
  package let headers: [String]
  package let body: [UInt8]

  package subscript(name: String) -> String? {
    headers.first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
      .map { String($0.dropFirst(name.count + 1)).trimmingCharacters(in: .whitespaces) }
  }
}

/// One connection, on its own thread.
package final class Connection: @unchecked Sendable {
  let descriptor: Int32
  private let keep: (ReceivedRequest) -> Void
  private var buffer: [UInt8] = []

  fileprivate init(_ descriptor: Int32, _ keep: @escaping (ReceivedRequest) -> Void) {
    self.descriptor = descriptor
    self.keep = keep
  }

  /// The next request with its body; nil when the client is gone.
  package func request() -> ReceivedRequest? {
    guard let head = head() else { return nil }
    return body(of: head)
  }

  /// The next request's head alone.
  package func head() -> ReceivedRequest? {
    let separator = Array("\r\n\r\n".utf8)
    while true {
      if let range = buffer.firstRange(of: separator) {
        var lines = String(decoding: buffer[..<range.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        buffer.removeSubrange(..<range.upperBound)
        return ReceivedRequest(line: lines.removeFirst(), headers: lines, body: [])
      }
      guard receive() else { return nil }
    }
  }

  package func body(of head: ReceivedRequest) -> ReceivedRequest? {
    let length = head["Content-Length"].flatMap { Int($0) } ?? 0
    while buffer.count < length {
      if !receive() { return nil }
    }
    let request = ReceivedRequest(line: head.line, headers: head.headers, body: Array(buffer.prefix(length)))
    buffer.removeFirst(length)
    keep(request)
    return request
  }

  /// The next packet of MQTT, of at most 127 bytes and two before them; nil when the client is gone.
  package func packet() -> [UInt8]? {
    while buffer.count < 2 || buffer.count < 2 + Int(buffer[1]) { if !receive() { return nil } }
    let length = 2 + Int(buffer[1])
    defer { buffer.removeFirst(length) }
    return Array(buffer.prefix(length))
  }

  /// More bytes of the client; false when it is gone.
  @discardableResult package func receive() -> Bool {
    var part = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(descriptor, &part, part.count)
    guard count > 0 else { return false }
    buffer.append(contentsOf: part.prefix(count))
    return true
  }

  /// False when the client does not take it.
  @discardableResult package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult package func send(_ bytes: [UInt8]) -> Bool { LoopbackClient.write(bytes, to: descriptor) }

  /// Ends the connection as a crash would: the client gets a reset.
  package func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
  }

  /// Waits until the client's program has read all that was sent, or is gone.
  package func waitUntilRead() {
    let port = peerPort
    try? eventually("the client reads what was sent") { LoopbackClient.unread(at: port) == 0 }
  }

  private var peerPort: Int {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutableBytes(of: &address) { bytes in
      getpeername(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &length)
      return Int(bytes[2]) << 8 | Int(bytes[3])
    }
  }

  /// Says nothing until the client goes.
  package func hang() { while receive() {} }

  fileprivate func end() { close(descriptor) }
}
