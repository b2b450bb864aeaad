// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A minimal client of servers on this machine: tests ask other programs with it what has arrived there.
package enum LoopbackClient {
  package struct Answer: Sendable {
    package let status: Int
    package let body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }
  }

  static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = in_port_t(port).bigEndian
    return address
  }

  /// A connected socket; nil if no program listens.
  static func connection(to port: Int) -> Int32? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = Self.address(port)
    let result = withUnsafeBytes(of: &address) {
      connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
    }
    if result == 0 { return descriptor }
    close(descriptor)
    return nil
  }

  /// One request and its answer, in HTTP/1.0, which has no chunks and ends with the connection; nil if there is none.
  package static func ask(
    _ port: Int, _ method: String, _ path: String, headers: [String] = [], body: [UInt8] = []
  ) -> Answer? {
    guard let descriptor = connection(to: port) else { return nil }
    defer { close(descriptor) }
    let head =
      ["\(method) \(path) HTTP/1.0", "Host: 127.0.0.1:\(port)", "Content-Length: \(body.count)"] + headers + ["", ""]
    guard write(Array(head.joined(separator: "\r\n").utf8) + body, to: descriptor) else { return nil }
    let bytes = rest(of: descriptor)
    // HTTP/1.1 200 OK
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)),
      let status = Int(String(decoding: bytes.dropFirst(9).prefix(3), as: UTF8.self))
    else { return nil }
    return Answer(status: status, body: Array(bytes[end.upperBound...]))
  }

  /// How many bytes have arrived at the open connections of a local port, and were not read by its program yet.
  package static func unread(at port: Int) -> Int {
    guard let table = fopen("/proc/net/tcp", "r") else { return 0 }
    defer { fclose(table) }
    var row = [CChar](repeating: 0, count: 256)
    var unread = 0
    while fgets(&row, Int32(row.count), table) != nil {
      // `0: 0100007F:9C0C 0100007F:D9ED 01 00000000:00000003 …`: addresses, the state, bytes to send and to read.
      let parts = String(decoding: row.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        .split(separator: " ")
      guard parts.count > 4, parts[3] == "01", Int(parts[1].suffix(4), radix: 16) == port else { continue }
      unread += Int(parts[4].suffix(8), radix: 16) ?? 0
    }
    return unread
  }

  /// All bytes until the other side closes the connection.
  static func rest(of descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(descriptor, &part, part.count), count > 0 { bytes += part.prefix(count) }
    return bytes
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }
}

/// A connection over which a test sends whatever it likes, piece by piece; closed with it.
package final class LoopbackConnection: Sendable {
  private let descriptor: Int32

  /// nil if no program listens.
  package init?(to port: Int) {
    guard let descriptor = LoopbackClient.connection(to: port) else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// False if the other side has closed the connection.
  @discardableResult package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult package func send(_ bytes: [UInt8]) -> Bool { LoopbackClient.write(bytes, to: descriptor) }

  /// Waits for so many bytes; nil if the connection was closed before they came.
  package func received(count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: max(1, count))
    while bytes.count < count {
      let read = read(descriptor, &part, count - bytes.count)
      guard read > 0 else { return nil }
      bytes += part.prefix(read)
    }
    return bytes
  }

  /// Lets the other side see the end of what is sent, and a blocked `received` the end of what is received.
  package func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Waits for text, and gives what has come up to its end; nil if the connection was closed before it came.
  package func received(upTo end: String) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(descriptor, &byte, 1) == 1 {
      bytes.append(byte)
      if bytes.suffix(end.utf8.count).elementsEqual(end.utf8) { return String(decoding: bytes, as: UTF8.self) }
    }
    return nil
  }

  /// Reads until the other side closes the connection.
  package func receivedToEnd() -> String { String(decoding: LoopbackClient.rest(of: descriptor), as: UTF8.self) }
}
