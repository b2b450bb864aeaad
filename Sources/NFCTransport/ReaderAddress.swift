// SPDX-License-Identifier: Apache-2.0

package enum ReaderAddress: Hashable, Sendable {
  /// `auto`: the best reader that is plugged in: PC/SC, then a Proxmark3, then a Flipper Zero.
  case automatic
  /// `pcsc`: the first PC/SC reader that supports ISO 15693; `pcsc:NAME`: the first whose name contains NAME.
  case pcsc(name: String?)
  /// `nfc:CONNSTRING`: a libnfc device. The device must be named, because libnfc's search can take a reader away from
  /// PC/SC.
  case nfc(connstring: String)
  /// `proxmark:PORT`: a Proxmark3 on this serial port; `proxmark`: the first that is plugged in.
  case proxmark(port: String?)
  /// `flipper:PORT`: a Flipper Zero on this serial port; `flipper`: the first that is plugged in.
  case flipper(port: String?)
  /// `sim:FILE-OR-SCENARIO`: a simulated sensor.
  case simulated(source: String)
  /// `replay:TRACE`: a recorded conversation.
  case replay(trace: String)

  /// Throws `unknownAddress` for an unknown scheme, or if the part after the colon is missing.
  package init(_ text: String) throws(TransportError) {
    let colon = text.firstIndex(of: ":")
    let rest = colon.map { String(text[text.index(after: $0)...]) }
    switch (text[..<(colon ?? text.endIndex)], rest) {
    case ("auto", nil): self = .automatic
    case ("proxmark", _): self = .proxmark(port: rest == "" ? nil : rest)
    case ("flipper", _): self = .flipper(port: rest == "" ? nil : rest)
    case (_, ""): throw .unknownAddress(text)
    case ("pcsc", _): self = .pcsc(name: rest)
    case ("nfc", let connstring?): self = .nfc(connstring: connstring)
    case ("sim", let source?): self = .simulated(source: source)
    case ("replay", let trace?): self = .replay(trace: trace)
    default: throw .unknownAddress(text)
    }
  }

  package static let forms = [
    "auto", "pcsc", "pcsc:NAME-PART", "proxmark", "proxmark:PORT", "flipper", "flipper:PORT", "nfc:CONNSTRING",
    "sim:FILE-OR-SCENARIO", "replay:TRACE",
  ]

  package var scheme: String {
    switch self {
    case .automatic: "auto"
    case .pcsc: "pcsc"
    case .nfc: "nfc"
    case .proxmark: "proxmark"
    case .flipper: "flipper"
    case .simulated: "sim"
    case .replay: "replay"
    }
  }

  /// The serial port that it names.
  var port: String? {
    switch self {
    case .proxmark(let port), .flipper(let port): port
    case .automatic, .pcsc, .nfc, .simulated, .replay: nil
    }
  }
}

extension ReaderAddress: CustomStringConvertible {
  package var description: String {
    switch self {
    case .automatic, .pcsc(nil), .proxmark(nil), .flipper(nil): scheme
    case .pcsc(let rest?), .proxmark(let rest?), .flipper(let rest?), .nfc(let rest), .simulated(let rest),
      .replay(let rest):
      "\(scheme):\(rest)"
    }
  }
}
