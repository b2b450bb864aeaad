// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// A phone with NFCGate and a simulated sensor at its back, which connects to libre over a TCP port of this machine as
/// the app does through adb. Its half of the conversation is written out here, so that the driver does not talk to
/// itself (NFCTransport/OtherReaders, "Android phone").
enum SimulatedPhone {
  /// Opens the reader for phones at a port that is free, and lets a phone connect there.
  static func reader(of image: MemoryImage, at address: ReaderAddress) async throws(TransportError) -> any TagReader {
    // No sensor is lost here, so that an answer is late only on a busy machine.
    let backend = PhoneBackend(limit: .seconds(60), onListening: { start(image, port: $0) })
    return try await backend.open(port: 0, as: address)
  }

  /// Answers on a thread of its own until the other side closes the connection.
  private static func start(_ image: MemoryImage, port: UInt16) {
    let thread = BlockingThread<TransportError>(
      "libre.simulated-phone", cancelled: .cancelled, refusesWhileStuck: false)
    Task { await thread.run({ try? converse(image, port: port) }, rescue: { _ in }) }
  }

  private static func converse(_ image: MemoryImage, port: UInt16) throws(DeviceFault) {
    let line = try LoopbackPort.connection(to: port)
    // Four bytes of length, and the session.
    func say(_ message: [UInt8]) throws(DeviceFault) {
      try line.write([0, 0, 0, UInt8(message.count), 1] + message, until: .now + .seconds(60))
    }
    try say([0x08, 0x01])
    var bytes: [UInt8] = []
    while true {
      // Lengths have one byte, because no request has more than a few.
      while bytes.count >= 4, case let end = 4 + Int(bytes[3]), bytes.count >= end {
        let message = Array(bytes[4..<end])
        bytes.removeFirst(end)
        if message == [0x08, 0x02] {
          // Somebody listens, and a card comes into the field.
          try say([0x12, 0x02, 0x08, 0x01])
        } else if let request = ISO15693.Request(frame: Array(message.dropFirst(6))),
          let answer = SimulatedTag.answer(of: image, to: request)
        {
          try say([0x12, UInt8(answer.count + 6), 0x08, 0x01, 0x10, 0x01, 0x1A, UInt8(answer.count)] + answer)
        }
      }
      bytes += try line.read(until: .now + .seconds(60), while: { true })
    }
  }
}
