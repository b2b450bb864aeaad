// SPDX-License-Identifier: Apache-2.0

/// The place of a reader, such as `pcsc:ACS`: the scheme of a ``ReaderScheme``, and what that needs to know.
public struct ReaderAddress: Hashable, Sendable {
  /// The word before the colon, in lower case: `pcsc`.
  public let scheme: String
  /// The text after the colon, which may have colons too; nil without one.
  public let rest: String?

  /// Creates an address. An empty rest counts as none.
  public init(scheme: String, rest: String? = nil) {
    (self.scheme, self.rest) = (scheme, rest.flatMap { $0.isEmpty ? nil : $0 })
  }

  /// `auto`: the best reader that is plugged in: PC/SC, then a Proxmark3, a Flipper Zero, a phone.
  package static let automatic = ReaderAddress(scheme: "auto")
  /// `pcsc`: the first PC/SC reader that supports ISO 15693; `pcsc:NAME`: the first whose name contains NAME.
  package static func pcsc(name: String?) -> ReaderAddress { ReaderAddress(scheme: "pcsc", rest: name) }
  /// `proxmark:PORT`: a Proxmark3 on this serial port; `proxmark`: the first that is plugged in.
  package static func proxmark(port: String?) -> ReaderAddress { ReaderAddress(scheme: "proxmark", rest: port) }
  /// `flipper:PORT`: a Flipper Zero on this serial port; `flipper`: the first that is plugged in.
  package static func flipper(port: String?) -> ReaderAddress { ReaderAddress(scheme: "flipper", rest: port) }
  /// `phone`: an Android phone at the USB cable, by the app NFCGate; `phone:PORT`: the same at another TCP port, to which
  /// the user brings the phone.
  package static func phone(port: UInt16?) -> ReaderAddress {
    ReaderAddress(scheme: "phone", rest: port.map(String.init))
  }

  package static let forms = [
    "auto", "pcsc", "pcsc:NAME-PART", "proxmark", "proxmark:PORT", "flipper", "flipper:PORT", "phone", "phone:PORT",
    "bridge", "bridge:ADDRESS", "nfc:CONNSTRING", "sim:FILE-OR-SCENARIO", "sim:phone", "sim:bridge", "replay:TRACE",
  ]

  /// Parses an address with a scheme of libre's own, or one of `others`, which may have a rest or none.
  /// - Throws: `unknownAddress` for another scheme, or if the part after the colon is missing.
  package init(_ text: String, others: [String] = []) throws(TransportError) {
    let colon = text.firstIndex(of: ":")
    let scheme = String(text[..<(colon ?? text.endIndex)])
    let rest = colon.map { String(text[text.index(after: $0)...]) }
    let fitting =
      switch rest {
      case nil: ["auto", "pcsc", "proxmark", "flipper", "phone", "bridge"]
      case "": ["proxmark", "flipper"]
      default: ["pcsc", "proxmark", "flipper", "phone", "bridge", "nfc", "sim", "replay"]
      }
    guard (fitting + others).contains(scheme) else { throw .unknownAddress(text) }
    self.init(scheme: scheme, rest: rest)
  }
}

extension ReaderAddress: CustomStringConvertible {
  /// The address as it is written: `pcsc:ACS`.
  public var description: String { rest.map { "\(scheme):\($0)" } ?? scheme }
}
