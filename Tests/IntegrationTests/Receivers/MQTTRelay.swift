// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport

/// Passes on what a client and a broker on this machine send, and disturbs connections.
final class MQTTRelay: Sendable {
  enum Fault: Hashable, Sendable {
    /// The connection is reset when the client has sent so many bytes.
    case resetAfter(Int)
    /// Drops everything that the broker sends after its CONNACK: it has the messages, but the client does not know.
    case swallowed
  }

  private let server: LoopbackServer

  var port: Int { server.port }
  var connections: Int { server.connections }

  /// `faults` are those of the first connections, one each; later connections have none. `onPiece` is called for each
  /// piece that goes through, with its number in the connection, before it is passed on.
  init(to broker: Int, _ faults: [Fault] = [], onPiece: @escaping @Sendable (Int) -> Void = { _ in }) throws {
    let faults = FaultQueue(faults)
    server = try LoopbackServer { connection in
      let fault = faults.next()
      var piece = -1
      connection.relay(to: broker) { isOfClient, sent, received in
        piece += 1
        onPiece(piece)
        return switch fault {
        case .resetAfter(let count): isOfClient && sent >= count ? .reset : .passed
        // The welcome comes first.
        case .swallowed: !isOfClient && received > 0 ? .withheld : .passed
        case nil: .passed
        }
      }
    }
  }
}

private final class FaultQueue: Sendable {
  private let faults: Mutex<[MQTTRelay.Fault]>

  init(_ faults: [MQTTRelay.Fault]) { self.faults = Mutex(faults) }

  func next() -> MQTTRelay.Fault? { faults.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}
