// SPDX-License-Identifier: Apache-2.0

/// Where to find a reader, as given to `--reader`.
public enum ReaderAddress: Hashable, Sendable {
  /// `pcsc`: the first PC/SC reader that can; `pcsc:NAME`: the first whose name contains this.
  case pcsc(name: String?)
  /// `nfc:CONNSTRING`: a libnfc device. There is no default, because looking for one can take a reader away from PC/SC.
  case nfc(connstring: String)
  /// `sim:FILE-OR-SCENARIO`: a simulated sensor.
  case simulated(source: String)
  /// `replay:TRACE`: a recorded conversation.
  case replay(trace: String)

  /// Throws `unknownAddress` for any other text, and where what must follow the colon is missing.
  public init(_ text: String) throws(TransportError) {
    let colon = text.firstIndex(of: ":")
    let rest = colon.map { String(text[text.index(after: $0)...]) }
    switch (text[..<(colon ?? text.endIndex)], rest) {
    case (_, ""): throw .unknownAddress(text)
    case ("pcsc", _): self = .pcsc(name: rest)
    case ("nfc", let connstring?): self = .nfc(connstring: connstring)
    case ("sim", let source?): self = .simulated(source: source)
    case ("replay", let trace?): self = .replay(trace: trace)
    default: throw .unknownAddress(text)
    }
  }

  /// What an address can look like, for help.
  public static let forms = ["pcsc", "pcsc:NAME-PART", "nfc:CONNSTRING", "sim:FILE-OR-SCENARIO", "replay:TRACE"]

  /// The part before the colon.
  public var scheme: String {
    switch self {
    case .pcsc: "pcsc"
    case .nfc: "nfc"
    case .simulated: "sim"
    case .replay: "replay"
    }
  }
}

extension ReaderAddress: CustomStringConvertible {
  /// The text that it was made from.
  public var description: String {
    switch self {
    case .pcsc(nil): scheme
    case .pcsc(let rest?), .nfc(let rest), .simulated(let rest), .replay(let rest): "\(scheme):\(rest)"
    }
  }
}
