// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import HostSystem
import LibreDocuments
import LibreKit
import Logging
import NFCTransport
import SampleStore
import SampleSync
import TextFormats

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One run of the command: its configuration and its two streams.
struct Session {
  let configuration: Configuration
  /// nil if there is none, which is fine.
  let file: ConfigurationFile?
  /// Of standard output.
  let style: Style
  /// Whether a person looks at standard error.
  let showsProgress: Bool
  let logger: Logger

  /// Puts flags, environment and file together. Throws `LibreError.configuration`.
  init(_ global: GlobalOptions, flags: [Setting: String] = [:]) throws(LibreError) {
    let environment = Self.environment
    file = try ConfigurationFile.load(environment: environment)
    configuration = try Configuration(
      flags: global.flags.merging(flags) { _, special in special }, environment: environment, file: file)
    style = Style(isColored: Self.isColored(configuration[.color].text, STDOUT_FILENO, environment))
    showsProgress =
      isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb" && configuration[.logLevel].text != "error"
      && !StandardError.isJSON
    let zone = configuration[.timeZone].text
    if !zone.isEmpty { LocalTime.setZone(zone) }
    var logger = Logger(label: "libre") { _ in StderrLogHandler() }
    logger.logLevel = Logger.Level(rawValue: configuration[.logLevel].text) ?? .warning
    self.logger = logger
    // Commands that give secrets are not to ask either.
    if asksNobody { setenv(Setting.noInput.variable, "true", 1) }
    logSettings()
  }

  /// The path of the store. Throws `configuration(noPlace)` where neither a setting nor the environment has it.
  func storePath() throws(LibreError) -> String {
    let setting = configuration[.store].text
    guard let path = StoreFile.path(setting: setting, environment: Self.environment) else {
      throw .configuration(.noPlace(of: "the store", variable: "XDG_DATA_HOME", option: "--store FILE"))
    }
    logger.info("using the store", metadata: ["file": "\(path)"])
    return path
  }

  static var environment: [String: String] {
    var values: [String: String] = [:]
    var entry = environ
    while let pointer = entry.pointee {
      let parts = String(cString: pointer).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { values[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    return values
  }

  // MARK: Streams

  static let standardOutput = STDOUT_FILENO
  static let standardError = STDERR_FILENO

  /// Writes data to standard output. Throws `output` if that fails, as on a full disk.
  func write(_ bytes: [UInt8]) throws(LibreError) { try Self.write(output: bytes) }

  /// The same without a session.
  static func write(output bytes: [UInt8]) throws(LibreError) {
    if let failure = FileSystem.writeAll(bytes, to: STDOUT_FILENO) {
      throw .output(.refused(path: OutputError.standardOutput, number: failure))
    }
  }

  func write(_ text: String) throws(LibreError) { try write(Array(text.utf8)) }

  /// Writes one JSON document, indented.
  func write(document: (inout JSONWriter) -> Void) throws(LibreError) {
    var writer = JSONWriter(indented: true)
    document(&writer)
    try write(writer.bytes + [0x0A])
  }

  /// Writes one JSON document on a line of its own.
  func writeLine(_ document: (inout JSONWriter) -> Void) throws(LibreError) {
    var writer = JSONWriter(indented: false)
    document(&writer)
    try write(writer.bytes + [0x0A])
  }

  /// Writes names, as wide as the widest, and what each of them is.
  func write(list: [(name: String, summary: String)]) throws(LibreError) {
    let width = max(6, list.map(\.name.count).max() ?? 0)
    for (name, summary) in list {
      let padding = String(repeating: " ", count: width - name.count)
      try write("\(style.bold(name + padding))  \(summary)\n")
    }
  }

  /// Reports an error on standard error: what, and the way out. `subject` is what it is about, such as a sink.
  static func report(_ error: LibreError, input: String? = nil, dump: Int? = nil, subject: String? = nil) {
    let file = input.map { $0 == "-" ? "standard input" : $0 }
    let place = [subject, file, dump.map { "memory \($0)" }].compactMap(\.self).joined(separator: ", ")
    let path: [(String, LogRecord.Detail)] = input.map { [("path", .text($0))] } ?? []
    StandardError.write(
      LogRecord(
        "\(place.isEmpty ? "" : "\(place): ")\(error.message)", .error, code: error.code, resolution: error.resolution,
        path + (dump.map { [("dump", .integer($0))] } ?? []), at: LocalTime.now))
  }

  /// Writes an error to standard output for a program that reads JSON there. It has been reported; a failure of standard
  /// output itself is left alone.
  static func write(_ error: LibreError, path: String?, as format: OutputFormat?) {
    guard let format, format == .json || format == .ndjson else { return }
    if case .output(let failure) = error, failure.isStandardOutput { return }
    var writer = JSONWriter(indented: format == .json)
    ErrorJSON.write(error, path: path, to: &writer)
    _ = FileSystem.writeAll(writer.bytes + [0x0A], to: STDOUT_FILENO)
  }

  /// Writes a remark to standard error, with a way out, unless nothing but errors is to be told.
  func remark(_ text: String, resolution: String? = nil) {
    if !isQuiet { Self.tell(text, resolution: resolution) }
  }

  /// Writes a remark to standard error even if nothing but errors is to be told.
  static func tell(
    _ text: String, level: LogRecord.Level = .notice, resolution: String? = nil,
    _ details: [(String, LogRecord.Detail)] = []
  ) {
    StandardError.write(LogRecord(text, level, resolution: resolution, details, at: LocalTime.now))
  }

  /// Says what becomes, at each sink, of what was removed from the store.
  func remarkOnRemoval(from store: SensorStore) throws {
    for sentence in try ConfigurationFile.removalSentences(file, in: store) { remark(sentence) }
  }

  /// True with `--no-input`.
  var asksNobody: Bool { configuration[.noInput].text == "true" }

  /// True if a person can be asked: all three streams are a terminal, and `--no-input` does not forbid it.
  var isInteractive: Bool {
    !asksNobody && [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].allSatisfy { isatty($0) == 1 }
  }

  /// Whether nothing but errors is to be told.
  var isQuiet: Bool { configuration[.logLevel].text == "error" }

  /// The user's own name for the person; nil where none is set.
  var referenceID: String? {
    let text = configuration[.referenceID].text
    return text.isEmpty ? nil : text
  }

  /// Imported sources that history and statistics leave out.
  var ignoredSources: Set<String> { Setting.names(configuration[.ignoreSources].text) }

  /// Columns for a picture: those of the terminal, else what COLUMNS says, else 80.
  var columns: Int {
    var size = winsize()
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    return Self.environment["COLUMNS"].flatMap(Int.init) ?? 80
  }

  /// For pictures. Linux's console without a window system has no braille and no blocks, nor has a locale without UTF-8.
  static var characters: TerminalCharacters {
    let environment = environment
    if ["dumb", "linux"].contains(environment["TERM"]) { return .ascii }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
    let encoding = locale.map { $0.prefix { $0 != "@" }.lowercased().replacing("-", with: "") }
    return encoding.map { $0.hasSuffix("utf8") } ?? true ? .unicode : .ascii
  }

  /// `NO_COLOR` (no-color.org) and a dumb terminal switch colour off unless the user asks for it.
  private static func isColored(_ when: String, _ descriptor: Int32, _ environment: [String: String]) -> Bool {
    switch when {
    case "always": true
    case "never": false
    default:
      isatty(descriptor) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
  }
}
