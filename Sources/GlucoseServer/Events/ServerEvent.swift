// SPDX-License-Identifier: Apache-2.0

/// An event of `text/event-stream`, or a comment line in it (HTML Standard, "Server-sent events").
struct ServerEvent: Hashable, Sendable {
  /// Id that a client sends back as `Last-Event-ID` when it connects again; nil leaves it as it was.
  var id: String?
  /// Name of the event, which a page listens for.
  var name: String
  /// Text of any lines.
  var data: String

  var bytes: [UInt8] {
    var text = id.map { "id: \(Self.line($0))\n" } ?? ""
    text += "event: \(Self.line(name))\n"
    for line in data.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) { text += "data: \(line)\n" }
    return Array("\(text)\n".utf8)
  }

  /// A line that clients skip: it shows either side that the other one is there.
  static func comment(_ text: String) -> [UInt8] { Array(": \(line(text))\n\n".utf8) }

  /// Asks a client to wait so long before it connects again.
  static func retry(milliseconds: Int) -> [UInt8] { Array("retry: \(milliseconds)\n\n".utf8) }

  /// Line ends would begin another field, and a client ignores an id with U+0000.
  private static func line(_ text: String) -> String { text.filter { !$0.isNewline && $0 != "\0" } }
}
