// SPDX-License-Identifier: Apache-2.0

/// One line of a recording.
///
/// | line | says |
/// |---|---|
/// | `# libre-trace: 1` | the format, and its version |
/// | `# tool: libre 0.1.0` | what recorded it |
/// | `# reader: pcsc:ACR1552` | the reader's address; later ones replace it, as with the next two |
/// | `# name: …` | as the driver calls it |
/// | `# dialect: …` | the reader's dialect; `unknown` or the like until a tag has answered |
/// | `# tap` | a tag came, or was still there when it was waited for |
/// | `# no tap: no-tag` | none came, or why none could |
/// | `02 20 08 -> 00 11 22 …` | a request and its answer: response flags first, without CRC |
/// | `02 20 08 -> silent` | a request without answer, and why (`TraceFailure`) |
/// | `02 20 08 -> empty` | an answer of no bytes |
/// | `# removed` | the tag was taken away |
/// | `# read-at: 2026-11-21T06:30:00Z` | when the answers since `# tap` were given, or `unknown` |
/// | any other `# …` | a comment |
package enum TraceLine: Hashable, Sendable {
  case format
  case tool(String)
  case reader(String)
  case name(String)
  case dialect(String)
  case tap
  case noTap(TraceFailure)
  case exchange(request: [UInt8], answer: Answer)
  case removed
  case readAt(Instant?)
  case comment(String)

  package enum Answer: Hashable, Sendable {
    case frame([UInt8])
    case failure(TraceFailure)
  }

  /// Parses a non-empty line; nil if it is invalid: not an exchange, another version of the format, an invalid time.
  package init?(_ text: String) {
    let line = Self.trimmed(text.utf8)
    guard let line = line.first == UInt8(ascii: "#") ? Self.note(line.dropFirst()) : Self.exchange(line[...]) else {
      return nil
    }
    self = line
  }

  package var text: String {
    switch self {
    case .format: "# libre-trace: \(Self.version)"
    case .tool(let tool): "# tool: \(tool)"
    case .reader(let address): "# reader: \(address)"
    case .name(let name): "# name: \(name)"
    case .dialect(let dialect): "# dialect: \(dialect)"
    case .tap: "# tap"
    case .noTap(let failure): "# no tap: \(failure.rawValue)"
    case .exchange(let request, let answer): "\(HexText.string(of: request, separator: " ")) -> \(answer.text)"
    case .removed: "# removed"
    case .readAt(let instant): "# read-at: \(instant?.rfc3339 ?? Self.unknown)"
    case .comment(let text): "# \(text)"
    }
  }

  private static let version = "1"
  private static let unknown = "unknown"

  private static func note(_ line: ArraySlice<UInt8>) -> TraceLine? {
    let text = trimmed(line)
    let key = text.prefix { $0 != UInt8(ascii: ":") }
    let value = String(decoding: trimmed(text[key.endIndex...].dropFirst()), as: UTF8.self)
    let comment = TraceLine.comment(String(decoding: text, as: UTF8.self))
    guard key.endIndex != text.endIndex else {
      return switch String(decoding: key, as: UTF8.self) {
      case "tap": .tap
      case "removed": .removed
      default: comment
      }
    }
    return switch String(decoding: key, as: UTF8.self) {
    case "libre-trace": value == version ? .format : nil
    case "tool": .tool(value)
    case "reader": .reader(value)
    case "name": .name(value)
    case "dialect": .dialect(value)
    case "no tap": TraceFailure(rawValue: value).map(TraceLine.noTap) ?? comment
    case "read-at": value == unknown ? .readAt(nil) : Instant(rfc3339: value).map(TraceLine.readAt)
    default: comment
    }
  }

  private static func exchange(_ line: ArraySlice<UInt8>) -> TraceLine? {
    // Search the first arrow: a dash may separate a request's bytes, a `>` may not.
    guard let tip = line.firstIndex(of: UInt8(ascii: ">")), tip != line.startIndex else { return nil }
    let shaft = line.index(before: tip)
    guard line[shaft] == UInt8(ascii: "-"),
      let request = HexText.bytes(of: String(decoding: line[..<shaft], as: UTF8.self)),
      let answer = Answer(String(decoding: trimmed(line[tip...].dropFirst()), as: UTF8.self))
    else { return nil }
    return .exchange(request: request, answer: answer)
  }

  private static func trimmed(_ text: some BidirectionalCollection<UInt8>) -> [UInt8] {
    text.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  var isExchange: Bool { if case .exchange = self { true } else { false } }
  var waitFailure: TraceFailure? { if case .noTap(let failure) = self { failure } else { nil } }
}

extension TraceLine.Answer {
  private static let empty = "empty"

  init?(_ text: String) {
    if let failure = TraceFailure(rawValue: text) {
      self = .failure(failure)
    } else if text == Self.empty {
      self = .frame([])
    } else if let bytes = HexText.bytes(of: text) {
      self = .frame(bytes)
    } else {
      return nil
    }
  }

  fileprivate var text: String {
    switch self {
    case .frame([]): Self.empty
    case .frame(let bytes): HexText.string(of: bytes, separator: " ")
    case .failure(let failure): failure.rawValue
    }
  }
}

/// Reason for a missing answer, as one word of a recording. Names, reasons and answers to reset are dropped: they may
/// identify the owner of the reader or card.
package enum TraceFailure: String, Hashable, Sendable, CaseIterable {
  case silent
  case lost
  case malformed
  case cancelled
  case noTag = "no-tag"
  case otherCard = "other-card"
  case unplugged
  case busy
  case readerSilent = "reader-silent"
  /// Any failure without its own word.
  case failed
  case lacks15693 = "lacks-iso15693"
  case fourByteBlocks = "four-byte-blocks"
  case noReader = "no-reader"
  case noDaemon = "no-daemon"
  case accessDenied = "access-denied"

  init(_ error: TransportError) {
    self =
      switch error {
      case .tagSilent: .silent
      case .tagLost: .lost
      case .malformedResponse: .malformed
      case .cancelled: .cancelled
      case .noTag: .noTag
      case .otherCard: .otherCard
      case .readerUnplugged: .unplugged
      case .readerBusy, .port(_, .busy): .busy
      case .readerSilent: .readerSilent
      case .readerLacks15693: .lacks15693
      case .fourByteBlocks: .fourByteBlocks
      case .noReader, .noPhone, .noReaderNamed: .noReader
      case .noDaemon, .serviceStuck: .noDaemon
      case .accessDenied, .port(_, .denied): .accessDenied
      case .readerFailed, .readerUnfit, .flipperFile, .port(_, .missing), .port(_, .notSerial), .unknownAddress,
        .notInThisBuild, .fileUnreadable, .badTrace, .traceTooLong, .traceEnded, .libraryMissing, .otherTag, .tag:
        .failed
      }
  }

  /// The error that `request` gets on playback, at the reader of this name.
  func error(to request: ISO15693.Request, reader name: String) -> TransportError {
    switch self {
    case .silent: .tagSilent(block: request.firstBlock)
    case .lost: .tagLost(block: request.firstBlock)
    case .malformed: .malformedResponse(to: request, length: 0)
    case .cancelled: .cancelled
    case .noTag: .noTag
    case .otherCard: .otherCard(atr: [])
    case .unplugged: .readerUnplugged(name: name)
    case .busy: .readerBusy(name: name)
    case .readerSilent: .readerSilent(name: name)
    case .failed: .readerFailed(name: name, reason: "the recording does not contain the reason")
    case .lacks15693: .readerLacks15693(name: name)
    case .fourByteBlocks: .fourByteBlocks(name: name)
    case .noReader: .noReader
    case .noDaemon: .noDaemon
    case .accessDenied: .accessDenied
    }
  }
}
