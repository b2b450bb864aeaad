// SPDX-License-Identifier: Apache-2.0

/// A message of the app NFCGate, whose relay libre takes the place of (NFCTransport/OtherReaders, "Android phone"). Frames
/// are carried as they are: flags first, without checksum.
enum NFCGateMessage: Hashable, Sendable {
  /// The phone has chosen a session.
  case hello
  case goodbye
  case tagFound
  case answer([UInt8])
  /// Data of a phone that shows a card to another reader instead of reading one.
  case cardRole
  /// A message without meaning for a reader.
  case other
}

/// Finds the messages in what a phone sends: four bytes of length, a session, and a message of Protocol Buffers.
struct NFCGateStream {
  private var bytes: [UInt8] = []

  /// The largest message taken. The app's are shorter by far, since no answer of a sensor has more than 33 bytes.
  private static let lengthLimit = 4_096
  private static let head = 5

  mutating func add(_ more: [UInt8]) { bytes += more }

  /// Returns nil if more bytes are needed.
  /// - Throws: ``PhoneFault`` for bytes that the app does not send.
  mutating func next() throws(PhoneFault) -> NFCGateMessage? {
    // A TLS connection begins with a record of this type and version.
    if bytes.starts(with: [0x16, 0x03]) { throw .usesTLS }
    guard bytes.count >= Self.head else { return nil }
    let length = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
    guard length <= Self.lengthLimit else { throw .isOther }
    guard bytes.count >= Self.head + length else { return nil }
    let message = bytes[Self.head..<Self.head + length]
    bytes.removeFirst(Self.head + length)
    guard let fields = ProtocolBuffer(message) else { throw .isOther }
    return NFCGateMessage(fields)
  }
}

extension NFCGateMessage {
  /// The bytes that ask a phone for the answer to a frame: as the app's relay passes them on, without a session.
  static func request(_ frame: [UInt8]) -> [UInt8] {
    // The source is a reader, 0, which is left out; the type is that of a frame after the first.
    sent([0x12, UInt8(frame.count + 4), 0x10, 0x01, 0x1A, UInt8(frame.count)] + frame)
  }

  /// The bytes that tell a phone that somebody listens.
  static let welcome = sent([0x08, 0x02])

  private static func sent(_ message: [UInt8]) -> [UInt8] { [0, 0, 0, UInt8(message.count)] + message }

  /// A field that is left out has the number 0.
  fileprivate init(_ server: ProtocolBuffer) {
    switch server.number(1) {
    case 0:
      guard let data = server.bytes(2).flatMap({ ProtocolBuffer($0) }) else {
        self = .other
        return
      }
      // Source 0 is another reader, to which the phone shows a card; 1 is a card that it reads. Type 0 is a new one.
      switch (data.number(1), data.number(2)) {
      case (0, _): self = .cardRole
      case (1, 0): self = .tagFound
      case (1, _): self = .answer(data.bytes(3).map(Array.init) ?? [])
      default: self = .other
      }
    case 1: self = .hello
    case 3: self = .goodbye
    default: self = .other
    }
  }
}

/// The fields of a message in the encoding of Protocol Buffers, as far as they are numbers and bytes.
private struct ProtocolBuffer {
  private var numbers: [UInt64: UInt64] = [:]
  private var parts: [UInt64: ArraySlice<UInt8>] = [:]

  /// Returns nil for bytes that are not such a message. The last one counts of fields with the same number.
  init?(_ message: ArraySlice<UInt8>) {
    var rest = message
    while !rest.isEmpty {
      guard let key = Self.number(&rest) else { return nil }
      switch key & 7 {
      case 0:
        guard let value = Self.number(&rest) else { return nil }
        numbers[key >> 3] = value
      case 1 where rest.count >= 8: rest = rest.dropFirst(8)
      case 2:
        guard let count = Self.number(&rest), count <= UInt64(rest.count) else { return nil }
        parts[key >> 3] = rest.prefix(Int(count))
        rest = rest.dropFirst(Int(count))
      case 5 where rest.count >= 4: rest = rest.dropFirst(4)
      default: return nil
      }
    }
  }

  func number(_ field: UInt64) -> UInt64 { numbers[field] ?? 0 }
  func bytes(_ field: UInt64) -> ArraySlice<UInt8>? { parts[field] }

  /// A number in groups of seven bits, the lowest first.
  private static func number(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << UInt64(shift)
      if byte < 0x80 { return value }
    }
    return nil
  }
}
