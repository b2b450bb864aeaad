// SPDX-License-Identifier: Apache-2.0
import Glibc

extension Connection {
  /// Passes on what the client and another server on this machine say, until one of them goes.
  ///
  /// `onPiece` is called for each piece, before it is passed on.
  package func relay(to port: Int, _ onPiece: () -> Void) {
    guard let other = LoopbackClient.connection(to: port) else { return }
    defer { close(other) }
    var part = [UInt8](repeating: 0, count: 4_096)
    while true {
      var waiting = [descriptor, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&waiting, 2, -1) > 0 else { return }
      for (index, ready) in waiting.enumerated() where ready.revents != 0 {
        let count = read(ready.fd, &part, part.count)
        guard count > 0 else { return }
        onPiece()
        guard LoopbackClient.write(Array(part.prefix(count)), to: waiting[1 - index].fd) else { return }
      }
    }
  }
}
