// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Synchronization

/// A Proxmark3 on a serial port.
final class ProxmarkDevice: FrameDevice {
  let name: String
  private let path: String
  private let limit: Duration
  private let conversation = Mutex<ProxmarkConversation?>(nil)

  /// `limit`: how long one reply may take.
  init(port path: String, limit: Duration) {
    self.path = path
    self.limit = limit
    name = "Proxmark3 on \(path)"
  }

  /// Two pings, two questions, and as long again for a device that sends other things in between.
  var openingLimit: Duration { limit * 6 }
  /// The frame and the ping behind it.
  var exchangeLimit: Duration { limit * 9 }

  func open(address: String, while isWanted: () -> Bool) throws(TransportError) -> ReaderDescription {
    let port = try SerialPort(path)
    return try conversation.withLock { open throws(TransportError) in
      var conversation = ProxmarkConversation(port, name: name, limit: limit)
      defer { open = conversation }
      let firmware = try conversation.identify(while: isWanted)
      return ReaderDescription(address: address, name: firmware.name, dialect: "proxmark3")
    }
  }

  func send(
    _ request: ISO15693.Request, startsAfresh: Bool, while isWanted: () -> Bool
  ) throws(TransportError) -> [UInt8]? {
    try conversation.withLock { open throws(TransportError) in
      guard var conversation = open else { throw .readerFailed(name: name, reason: "it is closed") }
      defer { open = conversation }
      return try conversation.exchange(request, startsAfresh: startsAfresh, while: isWanted)
    }
  }

  func close() {
    conversation.withLock { conversation in
      conversation?.end()
      conversation = nil
    }
  }
}
