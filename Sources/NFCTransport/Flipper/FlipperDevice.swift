// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Synchronization

/// A Flipper Zero on a serial port.
final class FlipperDevice: FrameDevice {
  let name: String
  private let path: String
  private let limit: Duration
  private let shell = Mutex<FlipperShell?>(nil)

  /// `limit`: how long a prompt may take.
  init(port path: String, limit: Duration) {
    self.path = path
    self.limit = limit
    name = "Flipper Zero on \(path)"
  }

  /// Three prompts to find the shell, three times one prompt for that of NFC, and two to interrupt it.
  var openingLimit: Duration { limit * 9 }
  /// Two frames of the first version of the shell, each interrupted.
  var exchangeLimit: Duration { limit * 8 }

  func open(address: String, while isWanted: () -> Bool) throws(TransportError) -> ReaderDescription {
    try openShell(while: isWanted)
    try talk { shell throws(TransportError) in try shell.startNFC(while: isWanted) }
    return ReaderDescription(address: address, name: name, dialect: "flipper-raw")
  }

  /// Opens the port and brings the main prompt.
  func openShell(while isWanted: () -> Bool) throws(TransportError) {
    let port = try SerialPort(path)
    try shell.withLock { open throws(TransportError) in
      var shell = FlipperShell(port, name: name, limit: limit)
      defer { open = shell }
      try shell.synchronise(while: isWanted)
    }
  }

  func send(
    _ request: ISO15693.Request, startsAfresh: Bool, while isWanted: () -> Bool
  ) throws(TransportError) -> [UInt8]? {
    try talk { shell throws(TransportError) in
      try shell.exchange(request, startsAfresh: startsAfresh, while: isWanted)
    }
  }

  func talk<Value: Sendable>(
    _ body: (inout FlipperShell) throws(TransportError) -> Value
  ) throws(TransportError) -> Value {
    try shell.withLock { open throws(TransportError) in
      guard var shell = open else { throw .readerFailed(name: name, reason: "it is closed") }
      defer { open = shell }
      return try body(&shell)
    }
  }

  func close() {
    shell.withLock { shell in
      shell?.end()
      shell = nil
    }
  }
}
