// SPDX-License-Identifier: Apache-2.0
import HostSystem
package import LibreDocuments
import TextFormats

/// Standard error: text, or JSON records (`--log-format json`). A failed write is ignored.
package enum StandardError {
  /// True for JSON. Decided once, before anything can fail: errors in options or configuration are records too.
  package static let isJSON: Bool = {
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

  package static func write(_ record: LogRecord) {
    guard isJSON else { return draw(record.text) }
    _ = FileSystem.writeAll(
      JSONWriter.document(indented: false) { LogJSON.write(record, to: &$0) }, to: Session.standardError)
  }

  package static func redraw(_ line: String) { draw("\r\u{1B}[K" + line) }

  /// Writes text unchanged, for drawing on a terminal.
  package static func draw(_ text: String) { _ = FileSystem.writeAll(Array(text.utf8), to: Session.standardError) }
}
