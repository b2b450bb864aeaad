// SPDX-License-Identifier: Apache-2.0
public import LibreKit

/// Adds sinks to the configuration file and takes them out again, and leaves everything else in it as the user wrote it.
public enum SinkFile {
  /// Throws `exists`, what the section's own mistakes are, and `cannotEdit` where the file would not say what it should.
  public static func add(_ draft: SinkDraft, environment: [String: String]) throws(LibreError) -> SinkSetup {
    let path = try path(environment)
    let (before, file) = try read(path)
    if file.sinks[draft.name] != nil { throw .sink(.exists(draft.name, path: path)) }
    let section = draft.section(path: path)
    let setup = try SinkSetup(section)
    // The file's own line ends.
    let end = before.contains("\r\n") ? "\r\n" : "\n"
    // Both are one character of Swift's.
    let gap = before.isEmpty ? "" : before.utf8.last == 0x0A ? end : end + end
    let text = section.text.split(separator: "\n").map { $0 + end }.joined()
    try replace(file, with: before + gap + text) { $0[draft.name] = .success(section) }
    return setup
  }

  /// Throws `noSuchSink`, and `cannotEdit` where the sink is not written as a table of its own.
  public static func remove(_ name: String, environment: [String: String]) throws(LibreError) {
    let path = try path(environment)
    let (before, file) = try read(path)
    guard file.sinks[name] != nil else { throw .sink(.noSuchSink(name, known: file.sinks.keys.sorted())) }
    try replace(file, with: without(name, before)) { $0[name] = nil }
  }

  /// Without the table, from the blank line before its heading to its last key. What the user wrote behind that stays: a
  /// comment there is about what follows.
  private static func without(_ name: String, _ text: String) -> String {
    // A line feed after a carriage return is one character of Swift's with it.
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var kept: [String] = []
    var behind: [String] = []
    var isInside = false
    for line in lines {
      let words = line.filter { !" \t\r\"\u{FEFF}".contains($0) }
      if words.hasPrefix("[") {
        kept += behind
        behind = []
        isInside = words.prefix { $0 != "#" } == "[\(ConfigurationFile.sinksTable).\(name)]"
        if isInside, let last = kept.last, last.isEmpty || last == "\r" { kept.removeLast() }
      }
      if !isInside {
        kept.append(line)
      } else if words.isEmpty || words.hasPrefix("#") {
        behind.append(line)
      } else {
        behind = []
      }
    }
    return (kept + behind).joined(separator: "\n")
  }

  /// Writes the new text if it says what it should: the same as before but for the change.
  private static func replace(
    _ old: ConfigurationFile, with text: String, change: (inout [String: Result<SinkSection, LibreError>]) -> Void
  ) throws(LibreError) {
    let path = old.path
    var sections = old.sinkSections()
    change(&sections)
    guard let new = try? ConfigurationFile(path: path, bytes: text.utf8), new.sinkSections() == sections,
      new.values == old.values
    else {
      throw .sink(.cannotEdit(path: path, name: (Set(sections.keys).symmetricDifference(old.sinks.keys)).first ?? ""))
    }
    try Files.writePrivate(Array(text.utf8), to: path, keepsMode: true)
  }

  private static func path(_ environment: [String: String]) throws(LibreError) -> String {
    guard let path = ConfigurationFile.path(environment: environment) else {
      throw .configuration(.noPlace(of: "config.toml", variable: "XDG_CONFIG_HOME", option: nil))
    }
    return path
  }

  /// The text of the file and what it says; an empty one if there is no such file.
  private static func read(_ path: String) throws(LibreError) -> (text: String, file: ConfigurationFile) {
    let bytes = try ConfigurationFile.bytes(of: path) ?? []
    return (String(decoding: bytes, as: UTF8.self), try ConfigurationFile(path: path, bytes: bytes))
  }

  /// Where `sink add` puts a secret that it was given: beside the configuration file.
  public static func secretPath(of name: String, environment: [String: String]) throws(LibreError) -> String {
    try path(environment).split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
      + "/secrets/\(name)"
  }
}

/// A sink that is to be set up, as the user typed it.
public struct SinkDraft: Sendable {
  public let name: String
  private let values: [String: String]
  private let send: [String]?

  /// `send` is nil for the history alone.
  public init(name: String, type: String, values: [String: String], send: [String]?) {
    self.name = name
    self.values = values.merging(["type": type]) { $1 }
    self.send = send
  }

  /// What is typed, looked through as the file would be. Throws `LibreError.sink`.
  public func checked() throws(LibreError) -> SinkSetup { try SinkSetup(section(path: "the command line")) }

  /// As it would stand in the file.
  public var text: String { section(path: "").text }

  func section(path: String) -> SinkSection { SinkSection(path: path, name: name, values: values, send: send) }
}
