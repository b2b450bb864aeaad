// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Readers of one product on serial ports: `SCHEME:PORT`, or `SCHEME` for the first one that is plugged in.
package struct SerialBackend<Conversation: SerialConversation>: ReaderBackend {
  package let scheme = Conversation.address(port: nil).scheme
  package let summary = Conversation.summary
  private let limit: Duration
  private let clock: any Clock<Duration>
  private let ports: @Sendable () -> [SerialDevice]

  /// `limit`: how long the device may take for a reply.
  package init(
    limit: Duration = .seconds(2), clock: any Clock<Duration> = ContinuousClock(),
    ports: @escaping @Sendable () -> [SerialDevice] = { SerialDevice.all() }
  ) {
    self.limit = limit
    self.clock = clock
    self.ports = ports
  }

  /// The field stays off until a tag is waited for. Throws `noReader` if no port was named and none is found; `port`
  /// with what is wrong with it; `readerUnfit` for another device, and with what keeps this one from reading sensors.
  package func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
    guard address.scheme == scheme else { throw .unknownAddress(address.description) }
    guard let port = address.rest ?? Self.ports(among: ports()).first else { throw .noReader }
    return try await FrameReader(
      SerialReader<Conversation>(port: port, limit: limit), address: Conversation.address(port: port), clock: clock)
  }

  /// Those on the USB; no port is opened.
  package func readers() async throws(TransportError) -> [FoundReader] {
    Self.ports(among: ports()).map {
      FoundReader(
        address: Conversation.address(port: $0), name: "\(Conversation.product) on \($0)", presence: .unknown)
    }
  }

  package func changes() -> ReaderChanges { changes(on: clock, seen: ports) }

  static func ports(among ports: [SerialDevice]) -> [String] {
    ports.filter { $0.usb.map(Conversation.isProduct) ?? false }.map(\.path)
  }
}

/// A conversation with a reader over its serial port, one question at a time: `start`, any number of `exchange`, `end`.
package protocol SerialConversation: Sendable {
  static var product: String { get }
  static var dialect: String { get }
  static var summary: String { get }
  /// Maximum number of replies that are waited for while opening or closing.
  static var openingReplies: Int { get }
  /// Maximum number of replies that are waited for in one exchange.
  static var exchangeReplies: Int { get }

  static func address(port: String?) -> ReaderAddress
  static func isProduct(_ usb: USBDevice) -> Bool

  /// `name`: of the device in errors. `limit`: how long one reply may take.
  init(_ line: any SerialLine, name: String, limit: Duration)

  mutating func start(while isWanted: () -> Bool) throws(TransportError) -> String

  /// Sends a request as `FrameDevice.send` does.
  mutating func exchange(
    _ request: ISO15693.Request, startsAfresh: Bool, while isWanted: () -> Bool
  ) throws(TransportError) -> [UInt8]?

  /// Switches the field off and gives the line back.
  mutating func end()
}

final class SerialReader<Conversation: SerialConversation>: FrameDevice {
  let name: String
  private let path: String
  private let limit: Duration
  private let conversation = Mutex<Conversation?>(nil)

  init(port path: String, limit: Duration) {
    self.path = path
    self.limit = limit
    name = "\(Conversation.product) on \(path)"
  }

  var openingLimit: Duration { limit * Conversation.openingReplies }
  var exchangeLimit: Duration { limit * Conversation.exchangeReplies }

  func open(address: String, while isWanted: () -> Bool) throws(TransportError) -> ReaderDescription {
    try openPort()
    let name = try talk { conversation throws(TransportError) in try conversation.start(while: isWanted) }
    return ReaderDescription(address: address, name: name, dialect: Conversation.dialect)
  }

  /// Opens the port and sends nothing.
  func openPort() throws(TransportError) {
    let port = try DeviceLine(port: path)
    conversation.withLock { $0 = Conversation(port, name: name, limit: limit) }
  }

  func send(
    _ request: ISO15693.Request, startsAfresh: Bool, while isWanted: () -> Bool
  ) throws(TransportError) -> [UInt8]? {
    try talk { conversation throws(TransportError) in
      try conversation.exchange(request, startsAfresh: startsAfresh, while: isWanted)
    }
  }

  func talk<Value: Sendable>(
    _ body: (inout Conversation) throws(TransportError) -> Value
  ) throws(TransportError) -> Value {
    try conversation.withLock { open throws(TransportError) in
      guard var conversation = open else { throw .readerFailed(name: name, reason: "it is closed") }
      defer { open = conversation }
      return try body(&conversation)
    }
  }

  func close() {
    conversation.withLock { conversation in
      conversation?.end()
      conversation = nil
    }
  }
}
