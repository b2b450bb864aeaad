// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The text that `raw` prints about one frame, parsed.
///
///     UID: E0 07 A0 00 01 23 45 67        after an inventory
///     Tx: 02 23 00 02 E5 0A               what went on air; without checksum if nothing did
///     Error: "Timeout"                    only if it failed
///     Rx: 00 22 48 …                      with checksum; beside an error it is that of an earlier frame
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

  /// The first line, for a message.
  static func excerpt(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).first { !$0.allSatisfy(\.isWhitespace) } ?? "nothing"
    return String(line.prefix(80))
  }
}
