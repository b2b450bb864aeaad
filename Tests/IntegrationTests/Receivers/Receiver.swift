// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A service that samples are sent to, as far as its documentation describes it.
///
/// Each request is done as a whole or not at all, before anything of the answer is sent.
protocol Receiver: Sendable {
  func answer(to request: ReceivedRequest) -> Answer

  /// The records that are stored now, including duplicates.
  var held: [HeldValue] { get }
}

/// A value as a receiver has it.
struct HeldValue: Hashable, Sendable {
  let seconds: Int
  let milligramsPerDecilitre: Double
}

/// The answer of a server.
struct Answer: Sendable {
  let status: Int
  var headers: [String] = []
  let body: String

  init(_ status: Int, _ body: String = "", headers: [String] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// In HTTP/1.1.
  var text: String { head(length: body.utf8.count) + "\r\n" + body }

  /// Less than what it announces: half of the body, or the beginning of the first line of an answer without one.
  var cutText: String {
    if !body.isEmpty { return head(length: body.utf8.count) + "\r\n" + body.prefix(body.count / 2) }
    return String(head(length: 0).prefix(10))
  }

  private func head(length: Int) -> String {
    let type = body.hasPrefix("<") ? "text/html" : "application/json"
    let lines = ["HTTP/1.1 \(status) Said", "Content-Type: \(type)", "Content-Length: \(length)"] + headers
    return lines.map { "\($0)\r\n" }.joined()
  }
}

extension ReceivedRequest {
  var method: String { String(line.prefix { $0 != " " }) }

  /// Without the query.
  var path: String {
    let target = line.split(separator: " ").dropFirst().first ?? ""
    return String(target.prefix { $0 != "?" })
  }

  var json: JSONValue? { try? JSONValue(parsing: body) }
  var text: String { String(decoding: body, as: UTF8.self) }
}

extension HeldValue {
  /// nil for a text that is not a time with a zone, or not a whole second.
  init?(_ time: String?, _ value: Double?) {
    guard let time, let value, let seconds = Self.seconds(time) else { return nil }
    self.init(seconds: seconds, milligramsPerDecilitre: value)
  }

  /// Of `2024-05-02T12:15:00+02:00`, `…:00Z` or `…:00.000Z`.
  static func seconds(_ text: String) -> Int? {
    let format = ISO8601DateFormatter()
    if text.contains(".") { format.formatOptions.insert(.withFractionalSeconds) }
    return format.date(from: text).flatMap { Int(exactly: $0.timeIntervalSince1970) }
  }
}
