// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Questions of a server to the system about sockets.
package enum UnixSocket {
  /// True if a program accepts connections at the socket with this path.
  package static func isAnswering(_ path: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }

  /// True if something other than a socket is at this path.
  package static func isTaken(_ path: String) -> Bool {
    FileSystem.kind(of: path, followingLinks: false).map { $0 != S_IFSOCK } ?? false
  }

  /// Makes the files, directories and sockets that this process creates from now on private to its user, so that a socket
  /// never exists with another mode. libre's own files are private anyway.
  package static func restrictNewFiles() { umask(0o077) }

  /// Takes from a socket that exists the permission to run it, which means nothing.
  package static func makePrivate(_ path: String) { chmod(path, 0o600) }

  /// True if another program has the address.
  package static func isInUse(_ number: Int32) -> Bool { number == EADDRINUSE }

  /// True if this user may not have it.
  package static func isDenied(_ number: Int32) -> Bool { number == EACCES || number == EPERM }
}

/// The addresses by which other computers reach this one.
package enum NetworkAddresses {
  /// IPv4 addresses of the interfaces that are up, without the loopback's, in the system's order.
  package static var ipv4: [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var addresses: [String] = []
    var next = first
    while let entry = next {
      next = entry.pointee.ifa_next
      let flags = Int32(bitPattern: entry.pointee.ifa_flags)
      guard flags & Int32(IFF_UP) != 0, flags & Int32(IFF_LOOPBACK) == 0,
        let address = entry.pointee.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET)
      else { continue }
      let number = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
      }
      addresses.append([24, 16, 8, 0].map { String(number >> $0 & 0xFF) }.joined(separator: "."))
    }
    return addresses
  }

  /// The name that this computer gives itself; nil if it has none.
  package static var hostName: String? {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
    let name = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return name.isEmpty ? nil : name
  }
}
