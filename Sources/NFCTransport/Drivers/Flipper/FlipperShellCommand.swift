// SPDX-License-Identifier: Apache-2.0

/// A line that is typed into the shell of a Flipper Zero (NFCTransport/OtherReaders, "Shell", "Raw frames"). The shell
/// can also write files, delete them and send any frame to a tag: none of that can be said with this type.
enum FlipperShellCommand: Hashable, Sendable {
  case startNFC
  case exit
  /// `waiting`: with the time to wait for the answer, which the first version of the NFC shell does not know.
  case send(ISO15693.Request, selecting: Bool, waiting: Bool)
  case list(FlipperPath)
  case read(FlipperPath)
  case timestamp(FlipperPath)

  /// Time that the Flipper waits for the start of an answer, in periods of the carrier: 22 ms. Its own 0.3 ms suit
  /// standard commands; how soon a sensor answers `A1`, `B0` and `B3` is not known.
  private static let wait = 300_000

  /// Text to type, without the carriage return that ends it.
  var line: String {
    switch self {
    case .startNFC: "nfc"
    case .exit: "exit"
    case .send(let request, let selecting, let waiting):
      "raw -p 15 -\(selecting ? "skc" : "kc")\(waiting ? " -t \(Self.wait)" : "") -d "
        + HexText.string(of: request.frame).lowercased()
    case .list(let path): "storage list \"\(path)\""
    case .read(let path): "storage read \"\(path)\""
    case .timestamp(let path): "storage timestamp \"\(path)\""
    }
  }
}

package struct FlipperPath: Hashable, Sendable, CustomStringConvertible {
  package static let saved = FlipperPath(trusted: "/ext/nfc")

  package let description: String

  /// Takes a path that begins with a slash, or one below `/ext/nfc`; nil for a quote, or anything but printable ASCII:
  /// a line end in a name would start another command.
  package init?(_ text: String) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") }) else {
      return nil
    }
    self.init(trusted: text.hasPrefix("/") ? text : "\(Self.saved)/\(text)")
  }

  private init(trusted path: String) { description = path }
}

package struct FlipperFile: Hashable, Sendable {
  package let name: String
  /// Size in bytes; nil for a directory.
  package let byteCount: Int?
}

extension FlipperFile {
  /// Parses a line such as `[F] my tag.nfc 412b` or `[D] assets`; nil for any other.
  init?(line: Substring) {
    let line = line.drop(while: \.isWhitespace)
    let rest = line.dropFirst(4)
    if line.hasPrefix("[D] ") {
      self.init(name: String(rest), byteCount: nil)
    } else if line.hasPrefix("[F] "), rest.last == "b", let space = rest.lastIndex(of: " "),
      let count = Int(rest[space...].dropFirst().dropLast()), count >= 0
    {
      self.init(name: String(rest[..<space]), byteCount: count)
    } else {
      return nil
    }
  }
}
