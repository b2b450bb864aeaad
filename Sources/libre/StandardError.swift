// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import LibreDocuments
import LibreKit
import Logging
import TextFormats

/// Standard error: text, or JSON records (`--log-format json`). A failed write is ignored.
enum StandardError {
  /// True for JSON. Decided once, before anything can fail: errors in options or configuration are records too.
  static let isJSON: Bool = {
    let arguments = Array(CommandLine.arguments.prefix { $0 != "--" })
    let option = Setting.logFormat.option
    for (index, argument) in arguments.enumerated().reversed() {
      if argument.hasPrefix("\(option)=") { return argument.dropFirst(option.count + 1) == "json" }
      if argument == option { return arguments.dropFirst(index + 1).first == "json" }
    }
    if let text = Session.environment[Setting.logFormat.variable], !text.isEmpty { return text == "json" }
    let file = try? ConfigurationFile.load(environment: Session.environment)
    return file?.values[.logFormat] == "json"
  }()

  static func write(_ record: LogRecord) {
    guard isJSON else { return draw(record.text) }
    _ = FileSystem.writeAll(
      JSONWriter.document(indented: false) { LogJSON.write(record, to: &$0) }, to: Session.standardError)
  }

  /// Replaces the line at the cursor of a terminal.
  static func redraw(_ line: String) { draw("\r\u{1B}[K" + line) }

  /// Writes text unchanged, for drawing on a terminal.
  static func draw(_ text: String) { _ = FileSystem.writeAll(Array(text.utf8), to: Session.standardError) }
}

/// Writes log lines as records. Callers never log a UID or a secret.
struct StderrLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level = .warning

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let pairs = metadata.merging(event.metadata ?? [:]) { _, new in new }
    let details = pairs.sorted { $0.key < $1.key }.map { ($0.key, Self.detail($0.value)) }
    StandardError.write(
      LogRecord(
        logged: "\(event.message)", LogRecord.Level(rawValue: event.level.rawValue) ?? .info, details,
        at: LocalTime.now))
  }

  /// Numbers stay numbers.
  private static func detail(_ value: Logger.Metadata.Value) -> LogRecord.Detail {
    guard case .stringConvertible(let value) = value else { return .text("\(value)") }
    if let value = value as? Int { return .integer(value) }
    if let value = value as? Double { return .number(value) }
    return .text("\(value)")
  }
}
