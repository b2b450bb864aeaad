// SPDX-License-Identifier: Apache-2.0

/// The output of a Flipper Zero's shell up to the next prompt. Everything before the echo of the line is dropped,
/// because the banner, a prompt or noise of another program may still be on its way. So are escape sequences for
/// colours.
struct FlipperReply {
  /// Bytes that are kept at most; a reply that is longer comes from another device. The largest file is one of these.
  static let longest = 1 << 20

  enum Prompt: Hashable, Sendable {
    /// `>: `
    case main
    /// `[nfc]>: `, or that of another shell within the main one.
    case nested
  }

  /// Echo of the line, with its line end; nil if any prompt ends the reply.
  private let echo: [UInt8]?
  private let isFile: Bool
  private var bytes: [UInt8] = []
  /// Place of the file's content in `bytes`, once that is known.
  private var content: Range<Int>?

  /// The prompt that ended the reply; nil as long as it is not complete.
  private(set) var prompt: Prompt?
  /// Text that was printed before the prompt, without the line end before that.
  private(set) var text = ""
  var file: [UInt8]? { prompt == nil ? nil : content.map { Array(bytes[$0]) } }

  /// True if more has come than a Flipper sends.
  var isTooLong: Bool { bytes.count > Self.longest + 4096 }

  /// `command`: nil for the keys that bring a prompt back, which have no echo.
  init(to command: FlipperShellCommand?) {
    echo = command.map { Array("\($0.line)\r\n".utf8) }
    if case .read = command { isFile = true } else { isFile = false }
  }

  mutating func take(_ more: [UInt8]) {
    bytes += more
    if isFile { findContent() }
    let start = content?.upperBound ?? 0
    guard start <= bytes.count, bytes[start...].reversed().starts(with: Self.promptEnd.reversed()) else { return }
    var printed = Self.withoutEscapes(bytes[start...])[...]
    if let echo, content == nil {
      guard let range = printed.firstRange(of: echo) else { return }
      printed = printed[range.upperBound...]
      // An empty line stands before the prompt, and a reply without text has only that.
      guard printed.count >= Self.promptEnd.count else { return }
    }
    let line = printed.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? printed.startIndex
    prompt = printed[line...].first == UInt8(ascii: "[") ? .nested : .main
    text = String(decoding: printed[..<line], as: UTF8.self)
    while text.last?.isNewline == true { text.removeLast() }
  }

  private static let promptEnd = Array(">: ".utf8)
  private static let sizeStart = Array("\r\nSize: ".utf8)

  /// The content is counted, never searched for a prompt: a file may hold one.
  private mutating func findContent() {
    guard content == nil, let start = bytes.firstRange(of: Self.sizeStart)?.upperBound,
      let end = bytes[start...].firstRange(of: Array("\r\n".utf8))
    else { return }
    let digits = bytes[start..<end.lowerBound]
    guard let size = Int(String(decoding: digits, as: UTF8.self)), (0...Self.longest).contains(size) else { return }
    content = end.upperBound..<end.upperBound + size
  }

  /// Removes `ESC [`, digits and signs, a letter.
  static func withoutEscapes(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var kept: [UInt8] = []
    // How far into an escape sequence the last byte was.
    var depth = 0
    for byte in bytes {
      switch (depth, byte) {
      case (_, 0x1B): depth = 1
      case (1, UInt8(ascii: "[")): depth = 2
      case (2, UInt8(ascii: "0")...UInt8(ascii: "9")), (2, UInt8(ascii: ";")), (2, UInt8(ascii: "?")): break
      case (2, _): depth = 0
      default:
        depth = 0
        kept.append(byte)
      }
    }
    return kept
  }
}

/// The text that `raw` prints about one frame, parsed (NFCTransport/OtherReaders, "Raw frames").
struct FlipperAnswer: Hashable {
  /// UID of the sensor that the inventory found; nil without an inventory and without a sensor.
  let uid: SensorUID?
  let outcome: Outcome

  enum Outcome: Hashable {
    /// Response flags first, without checksum.
    case frame([UInt8])
    /// The tag did not answer, its answer was garbled, or the frame was not sent because of an earlier error.
    case none
    /// This shell does not know the key for the time to wait.
    case lacksWait
    /// The shell has not understood the line: what it said.
    case refused(String)
  }

  init(_ text: String, to request: ISO15693.Request) {
    // The first version of the shell prints an error behind the frame, on the same line.
    let words = text.replacing("Error:", with: "\nError:")
    var values: [Substring: Substring] = [:]
    for line in words.split(whereSeparator: \.isNewline) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let key = line[..<colon].drop(while: \.isWhitespace)
      if values[key] == nil { values[key] = line[line.index(after: colon)...].drop(while: \.isWhitespace) }
    }
    uid = values["UID"].flatMap { try? SensorUID(printed: String($0)) }
    outcome =
      text.contains("could not find") ? .refused(Self.excerpt(text)) : Self.outcome(values, request)
  }

  private static func outcome(_ values: [Substring: Substring], _ request: ISO15693.Request) -> Outcome {
    if let error = values["Error"] {
      if error.hasPrefix("\"") { return .none }
      return error.hasPrefix("Key 't'") ? .lacksWait : .refused(excerpt(String(error)))
    }
    guard let sent = values["Tx"], HexText.bytes(of: String(sent)) == FrameChecksum.sealed(request.frame),
      let answer = values["Rx"].flatMap({ HexText.bytes(of: String($0)) })
    else { return .none }
    return FrameChecksum.opened(answer).map { .frame($0) } ?? .none
  }

  static func excerpt(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).first { !$0.allSatisfy(\.isWhitespace) } ?? "nothing"
    return String(line.prefix(80))
  }
}
