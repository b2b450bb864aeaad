// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Inside the type below, the plain names are its own.
private let systemAccept = accept
private let systemClose = close

/// A TCP port of this machine alone, at which one program at a time is listened to. Other addresses are never listened
/// at, because what comes over the cable is not encrypted.
package final class LoopbackPort: Sendable {
  package let number: UInt16
  private let descriptor: Int32

  /// Listens at a port; 0 for any that is free.
  package init(_ number: UInt16) throws(DeviceFault) {
    let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let listener = socket(AF_INET, Int32(kind), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = number.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
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
    _ = fcntl(connection, F_SETFL, O_NONBLOCK)
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    // Frames are small, and each waits for the answer to the one before.
    var atOnce: Int32 = 1
    setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &atOnce, socklen_t(MemoryLayout<Int32>.size))
    return DescriptorLine(connection, isSocket: true)
  }

  /// Waits a moment for a connection, at most until `end`.
  package func wait(until end: ContinuousClock.Instant) { DescriptorLine.wait(for: POLLIN, on: descriptor, until: end) }
}
