// SPDX-License-Identifier: Apache-2.0
package import GlucoseReport
import HostSystem
package import LibreDocuments
package import Logging
import SampleSync
package import SensorHistory
package import TextFormats

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One run of the command: the person that it is about, their configuration, and its two streams.
package struct Session {
  package let person: Person
  /// The environment in which the person's files are found.
  package let environment: [String: String]
  package let configuration: Configuration
  private let flags: [Setting: String]
  package let file: ConfigurationFile?
  package let style: Style
  /// True if standard error is a terminal and progress is wanted.
  package let showsProgress: Bool
  package let logger: Logger

  package init(_ global: GlobalOptions, flags: [Setting: String] = [:]) throws(LibreError) {
    if let store = flags[.store], global.person != nil {
      throw .configuration(
        .badOption(name: "--store", value: store, allowed: "--store or --person, because every person has one store"))
    }
    try self.init(global.chosenPerson(), flags: global.flags.merging(flags) { _, special in special })
    let zone = configuration[.timeZone].text
    if !zone.isEmpty { LocalTime.setZone(zone) }
    // Commands that print secrets must not ask either.
    if forbidsInput { setenv(Setting.noInput.variable, "true", 1) }
    logSettings()
  }

  private init(_ person: Person, flags: [Setting: String]) throws(LibreError) {
    self.person = person
    self.flags = flags
    environment = person.environment(from: Self.environment)
    file = try ConfigurationFile.load(environment: environment)
    let users = Person.user.environment(from: Self.environment)
    let shared = person == .user ? nil : try ConfigurationFile.load(environment: users)
    configuration = try Configuration(flags: flags, environment: environment, file: file, shared: shared)
    style = Style(isColored: Self.isColored(configuration[.color].text, environment))
    showsProgress =
      isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb" && configuration[.logLevel].text != "error"
      && !StandardError.isJSON
    var logger = Logger(label: "libre") { _ in StderrLogHandler() }
    logger.logLevel = Logger.Level(rawValue: configuration[.logLevel].text) ?? .warning
    self.logger = logger
  }

  /// The same run for everybody whose sensors may be held to this machine's reader, the person of this run first. A
  /// named store does not belong to a person.
  package func household() throws(LibreError) -> [Session] {
    guard flags[.store] == nil else { return [self] }
    let others = ([.user] + Persons.all(environment: Self.environment)).filter { $0 != person }
    return try [self] + others.map { other throws(LibreError) in try session(of: other) }
  }

  /// The same run for another person, without the options that are about the person of this run.
  package func session(of person: Person) throws(LibreError) -> Session {
    try Session(person, flags: flags.filter { !$0.key.isPersonal })
  }

  /// The rule whose a sensor is among these people; with `isNamed` the user says that an unknown one is the first one's.
  package func household(
    of sessions: [Session], isNamed: Bool, source: UnclaimedSensor.Source
  ) throws(LibreError) -> Household {
    let members = try sessions.map { theirs throws(LibreError) in
      Household.Member(theirs.person, path: try theirs.storePath())
    }
    return Household(members, isNamed: isNamed, source: source)
  }

  /// The person's name if there are several persons, for output that would otherwise be ambiguous.
  package func label(among sessions: [Session]) -> String? { sessions.count > 1 ? person.word : nil }

  /// - Throws: `configuration(noPlace)` if neither a setting nor the environment gives one.
  package func storePath() throws(LibreError) -> String {
    let setting = configuration[.store].text
    guard let path = StoreFile.path(setting: setting, environment: environment) else {
      throw .configuration(.noPlace(of: "the store", variable: "XDG_DATA_HOME", option: "--store FILE"))
    }
    log(.info, "using the store", ["file": path])
    return path
  }

  /// Opens a store for writing, and reports it when its disk fails.
  package static func openForWriting(_ path: String) throws(LibreError) -> SensorStore {
    let store = try StoreFile.openForWriting(path)
    store.reportsDisk = { report(.store($0)) }
    if try libre(store.keepsLog()) {
      notify(
        "the disk has failed once: \(path)-wal is kept until the store is in a new file, which waits for another program that has it open",
        resolution: "stop libre serve and libre watch, run any command that stores something, and start them again")
    }
    return store
  }

  /// - Throws: `missing` for a file that does not exist.
  package static func openExisting(_ path: String) throws(LibreError) -> SensorStore {
    _ = try StoreFile.openForReading(path)
    return try openForWriting(path)
  }

  /// The environment of the process: the user's, or that of the person named by `LIBRE_PERSON`.
  package static var environment: [String: String] { ChildProcess.inherited }

  package static let standardOutput = STDOUT_FILENO
  private static let isTerminal = isatty(STDOUT_FILENO) == 1
  package static let standardError = STDERR_FILENO

  package func write(_ bytes: [UInt8]) throws(LibreError) { try Self.write(output: bytes) }

  /// Writes data to standard output. All output passes here, so that a terminal gets nothing worse than colours.
  /// - Throws: `output` if that fails, as on a full disk.
  package static func write(output bytes: [UInt8]) throws(LibreError) {
    let bytes = isTerminal ? Array(SafeText.lines(String(decoding: bytes, as: UTF8.self)).utf8) : bytes
    if let failure = FileSystem.writeAll(bytes, to: STDOUT_FILENO) {
      throw .output(.refused(path: OutputError.standardOutput, number: failure))
    }
  }

  /// Writes text for people, which has nothing but printable characters and colours in a pipe as well.
  package func write(_ text: String) throws(LibreError) { try write(Array(SafeText.lines(text).utf8)) }

  /// Writes text for programs, such as CSV, unchanged.
  package func write(data text: String) throws(LibreError) { try write(Array(text.utf8)) }

  package func write(document: (inout JSONWriter) -> Void) throws(LibreError) {
    try write(JSONWriter.document(indented: true, document))
  }

  /// Writes a result as one JSON document, as CSV, or as text for people.
  package func write(
    json: Bool, csv: Bool = false, document: (inout JSONWriter) -> Void, rows: @autoclosure () -> String = "",
    text: @autoclosure () -> String
  ) throws(LibreError) {
    if json { return try write(document: document) }
    try csv ? write(data: rows()) : write(text())
  }

  package func writeLine(_ document: (inout JSONWriter) -> Void) throws(LibreError) {
    try write(JSONWriter.document(indented: false, document))
  }

  package func write(list: [(name: String, summary: String)]) throws(LibreError) {
    let width = max(6, list.map(\.name.count).max() ?? 0)
    for (name, summary) in list {
      let padding = String(repeating: " ", count: width - name.count)
      try write("\(style.bold(name + padding))  \(summary)\n")
    }
  }

  /// Prints an error and the suggested fix to standard error. `subject` names what failed, such as a sink.
  package static func report(
    _ error: LibreError, input: String? = nil, dump: Int? = nil, line: Int? = nil, subject: String? = nil
  ) {
    let file = input.map { $0 == "-" ? "standard input" : $0 }
    let numbers = [("memory", "dump", dump), ("line", "line", line)].compactMap { word, key, number in
      number.map { (text: "\(word) \($0)", detail: (key, LogRecord.Detail.integer($0))) }
    }
    let place = ([subject, file].compactMap(\.self) + numbers.map(\.text)).joined(separator: ", ")
    let path: [(String, LogRecord.Detail)] = input.map { [("path", .text(FileNameText.shown($0)))] } ?? []
    StandardError.write(
      LogRecord(
        "\(place.isEmpty ? "" : "\(place): ")\(error.message)", .error, code: error.code, resolution: error.resolution,
        path + numbers.map(\.detail), at: LocalTime.now))
  }

  /// Writes an error, which was already reported, to standard output for a program that reads JSON.
  package static func write(_ error: LibreError, path: String?, as format: OutputFormat?) {
    guard let format, format == .json || format == .ndjson, !error.isOfStandardOutput else { return }
    let document = JSONWriter.document(indented: format == .json) { ErrorJSON.write(error, path: path, to: &$0) }
    _ = FileSystem.writeAll(document, to: STDOUT_FILENO)
  }

  /// Prints a notice and a suggestion to standard error, except with `--quiet`.
  package func remark(_ text: String, resolution: String? = nil) {
    if !isQuiet { Self.notify(text, resolution: resolution) }
  }

  /// Prints that the command waits, before it opens a named pipe: without another program it would wait silently.
  package func remark(ifPipe path: String, isOutput: Bool = false) {
    guard FileSystem.isNamedPipe(path) else { return }
    remark("\(path) is a named pipe: waiting for a program that \(isOutput ? "reads from" : "writes to") it")
  }

  /// Prints a notice to standard error, even with `--quiet`.
  package static func notify(
    _ text: String, level: LogRecord.Level = .notice, resolution: String? = nil,
    _ details: [(String, LogRecord.Detail)] = []
  ) {
    StandardError.write(LogRecord(text, level, resolution: resolution, details, at: LocalTime.now))
  }

  package var forbidsInput: Bool { configuration[.noInput].text == "true" }

  /// True if questions can be asked: all three streams are a terminal, and `--no-input` is not given.
  package var isInteractive: Bool {
    !forbidsInput && [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].allSatisfy { isatty($0) == 1 }
  }

  package var isQuiet: Bool { configuration[.logLevel].text == "error" }

  package var ignoredSources: Set<String> { Setting.names(configuration[.ignoreSources].text) }

  private static var windowSize: winsize? {
    var size = winsize()
    return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
  }

  /// Lines of the terminal to which standard output goes; nil if it goes to none.
  package var terminalLines: Int? {
    Self.isTerminal ? Self.windowSize.flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } : nil
  }

  /// Columns for a picture: those of the terminal, else of COLUMNS, else 80.
  package var columns: Int {
    if let size = Self.windowSize, size.ws_col > 0 { return Int(size.ws_col) }
    return Self.environment["COLUMNS"].flatMap(Int.init) ?? 80
  }

  /// Characters for pictures. The Linux console lacks braille and block characters, as does a locale without UTF-8.
  package static var characters: TerminalCharacters {
    let environment = environment
    if ["dumb", "linux"].contains(environment["TERM"]) { return .ascii }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
    let encoding = locale.map { $0.prefix { $0 != "@" }.lowercased().replacing("-", with: "") }
    return encoding.map { $0.hasSuffix("utf8") } ?? true ? .unicode : .ascii
  }

  /// `NO_COLOR` (no-color.org) and a dumb terminal disable colour unless the user chose `always`.
  private static func isColored(_ when: String, _ environment: [String: String]) -> Bool {
    switch when {
    case "always": true
    case "never": false
    default: isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
  }
}

extension JSONWriter {
  package static func document(indented: Bool, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter(indented: indented)
    write(&writer)
    return writer.bytes + [0x0A]
  }
}

extension LibreError {
  package var isOfStandardOutput: Bool { (cause as? OutputError)?.isStandardOutput ?? false }
}
