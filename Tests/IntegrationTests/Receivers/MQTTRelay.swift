// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Passes on what a client and a broker on this machine send.
final class MQTTRelay: Sendable {
  private let server: LoopbackServer

  var port: Int { server.port }

  /// `onPiece` is called for each piece that goes through, with its number in the connection, before it is passed on.
  init(to broker: Int, onPiece: @escaping @Sendable (Int) -> Void) throws {
    server = try LoopbackServer { connection in
      var piece = -1
      connection.relay(to: broker) { _, _, _ in
        piece += 1
        onPiece(piece)
        return .passed
      }
    }
  }
}
