// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Inside the type below, the plain names are its own.
private let systemAccept = accept
private let systemClose = close
private let systemConnect = connect
private let systemSocket = socket

/// A TCP port of this machine alone, at which one program at a time is listened to. Other addresses are never listened
/// at, because what comes over the cable is not encrypted.
package final class LoopbackPort: Sendable {
  package let number: UInt16
  private let descriptor: Int32

  /// Listens at a port; 0 for any that is free.
  package init(_ number: UInt16) throws(DeviceFault) {
    let listener = Self.socket(SOCK_NONBLOCK.rawValue)
    var address = Self.address(number)
    // A port that this program has just given back is free at once.
    var reuse: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening =
      isBound && listen(listener, 4) == 0
      && withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) == 0 }
      }
    (descriptor, self.number) = (listener, UInt16(bigEndian: address.sin_port))
    if isListening { return }
    let code = errno
    _ = systemClose(descriptor)
    throw DeviceFault(code)
  }

  deinit { _ = systemClose(descriptor) }

  /// The next connection; nil before one comes.
  package func accept() -> DescriptorLine? {
    let connection = systemAccept(descriptor, nil, nil)
    guard connection >= 0 else { return nil }
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    return Self.line(connection)
  }

  /// A connection to a port of this machine. Throws at once if no program listens there.
  package static func connection(to number: UInt16) throws(DeviceFault) -> DescriptorLine {
    let connection = socket(0)
    var address = address(number)
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        systemConnect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    if isConnected { return line(connection) }
    let code = errno
    _ = systemClose(connection)
    throw DeviceFault(code)
  }

  private static func socket(_ flags: UInt32) -> Int32 {
    systemSocket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | flags), 0)
  }

  private static func address(_ number: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = number.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func line(_ connection: Int32) -> DescriptorLine {
    _ = fcntl(connection, F_SETFL, O_NONBLOCK)
    // Frames are small, and each waits for the answer to the one before.
    var atOnce: Int32 = 1
    setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &atOnce, socklen_t(MemoryLayout<Int32>.size))
    return DescriptorLine(connection, isSocket: true)
  }

  /// Waits a moment for a connection, at most until `end`.
  package func wait(until end: ContinuousClock.Instant) { DescriptorLine.wait(for: POLLIN, on: descriptor, until: end) }
}
