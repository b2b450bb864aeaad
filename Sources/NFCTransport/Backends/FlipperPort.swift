// SPDX-License-Identifier: Apache-2.0
import Synchronization

extension SerialPort: FlipperLine {}

/// The shell of a Flipper Zero on its port. Its functions block, so they belong on the reader's thread.
final class FlipperPort: Sendable {
  let path: String
  private let shell = Mutex<(port: SerialPort, shell: FlipperShell<SerialPort>)?>(nil)

  init(_ path: String) { self.path = path }

  /// Opens the port and brings the main prompt. After an error, too, `close` has to follow.
  func open(while isWanted: () -> Bool) throws(TransportError) {
    let port = try SerialPort(path)
    try shell.withLock { shell throws(TransportError) in
      shell = (port, FlipperShell(port, name: path))
      try shell?.shell.synchronise(while: isWanted)
    }
  }

  /// Talks to the shell.
  func talk<Value: Sendable>(
    _ body: (inout FlipperShell<SerialPort>) throws(TransportError) -> Value
  ) throws(TransportError) -> Value {
    try shell.withLock { shell throws(TransportError) in
      guard shell != nil else { throw .readerFailed(name: path, reason: "it is closed") }
      return try body(&shell!.shell)
    }
  }

  /// Switches the field off and gives the port back; may be called twice.
  func close() {
    shell.withLock { shell in
      shell?.shell.leave()
      shell?.port.close()
      shell = nil
    }
  }
}
