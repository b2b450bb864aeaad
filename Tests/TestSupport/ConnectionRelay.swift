// SPDX-License-Identifier: Apache-2.0
import Glibc

extension Connection {
  /// The treatment of bytes that pass through.
  package enum Passage: Sendable {
    case passed
    /// They are dropped, and the other side does not know.
    case withheld
    /// The client's connection ends as in a crash.
    case reset
  }

  /// Passes on what the client and another server on this machine say, until one of them goes.
  ///
  /// `passage` is asked for each piece, with how many bytes of either side have come in all before it.
  package func relay(to port: Int, _ passage: (_ isOfClient: Bool, _ sent: Int, _ received: Int) -> Passage) {
    guard let other = LoopbackClient.connection(to: port) else { return }
    defer { close(other) }
    var totals = (client: 0, server: 0)
    var part = [UInt8](repeating: 0, count: 4_096)
    while true {
      var waiting = [descriptor, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&waiting, 2, -1) > 0 else { return }
      for (index, ready) in waiting.enumerated() where ready.revents != 0 {
        let count = read(ready.fd, &part, part.count)
        guard count > 0 else { return }
        switch passage(index == 0, totals.client, totals.server) {
        case .passed: guard LoopbackClient.write(Array(part.prefix(count)), to: waiting[1 - index].fd) else { return }
        case .withheld: break
        case .reset: return reset()
        }
        if index == 0 { totals.client += count } else { totals.server += count }
      }
    }
  }
}
