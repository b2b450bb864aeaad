// SPDX-License-Identifier: Apache-2.0
public import LibreKit
import SampleSinks
import TextFormats

/// Adds sinks to the configuration file, changes them and takes them out again, and leaves everything else in it as the
/// user wrote it.
public enum SinkFile {
  /// Throws `exists`, what the section's own mistakes are, and `cannotEdit` where the file would not say what it should.
  public static func add(_ draft: SinkDraft, environment: [String: String]) throws(LibreError) -> SinkSetup {
    let (path, text) = try ConfigurationFile.text(environment: environment)
    let file = try ConfigurationFile(path: path, bytes: text.bytes)
    if file.sinks[draft.name] != nil { throw .sink(.exists(draft.name, path: path)) }
    let section = draft.section(path: path)
    let setup = try SinkSetup(section, settings: file.values)
    try write(text, to: path, draft.name) { $0.append(table: place(draft.name), section.keys) }
    return setup
  }

  /// Throws `noSuchSink`, and `cannotEdit` where the sink is not written as a table of its own.
  public static func remove(_ name: String, environment: [String: String]) throws(LibreError) {
    let (path, text) = try ConfigurationFile.text(environment: environment)
    _ = try section(name, in: ConfigurationFile(path: path, bytes: text.bytes))
    try write(text, to: path, name) { $0.remove(table: place(name)) }
  }

  /// A sink with some of its keys changed, and its section as it would stand in the file. nil takes a key out, so that its
  /// default holds again.
  ///
  /// Throws `noSuchSink`, what the section's mistakes would be, and `cannotEdit` where it is not a table of its own. Writes
  /// nothing if it is a rehearsal.
  public static func set(
    _ name: String, _ changes: [String: String?], send: [String]??, isRehearsal: Bool, environment: [String: String]
  ) throws(LibreError) -> (setup: SinkSetup, text: String) {
    let (path, text) = try ConfigurationFile.text(environment: environment)
    let file = try ConfigurationFile(path: path, bytes: text.bytes)
    var section = try section(name, in: file)
    for (key, value) in changes { section.values[key] = value }
    if let send { section.send = send }
    let setup = try SinkSetup(section, settings: file.values)
    // The secret may be known only where it is used.
    try setup.check(secret: setup.type.secret == .none ? nil : Secret("(secret)"), environment: environment)
    var keys = changes.mapValues { $0.map(TOMLValue.init(settingText:)) }
    if let send { keys.updateValue(send.map { TOMLValue.array($0.map(TOMLValue.string)) }, forKey: "send") }
    try write(text, to: path, name, isRehearsal: isRehearsal) { text in
      keys.sorted { $0.key < $1.key }.allSatisfy { text.set(place(name) + [$0], to: $1) }
    }
    return (setup, section.text)
  }

  private static func place(_ name: String) -> [String] { [ConfigurationFile.sinksTable, name] }

  private static func section(_ name: String, in file: ConfigurationFile) throws(LibreError) -> SinkSection {
    guard let section = file.sinkSections()[name] else {
      throw .sink(.noSuchSink(name, known: file.sinks.keys.sorted()))
    }
    return try section.get()
  }

  /// Writes the text with a change, if that can be made.
  private static func write(
    _ text: TOMLText, to path: String, _ name: String, isRehearsal: Bool = false, change: (inout TOMLText) -> Bool
  ) throws(LibreError) {
    var text = text
    guard change(&text) else {
      throw .configuration(.cannotEdit(path: path, place: "[\(place(name).joined(separator: "."))]"))
    }
    if !isRehearsal { try Files.writePrivate(text.bytes, to: path, keepsMode: true) }
  }

  /// Where `sink add` puts a secret that it was given: beside the configuration file.
  public static func secretPath(of name: String, environment: [String: String]) throws(LibreError) -> String {
    try ConfigurationFile.text(environment: environment).path
      .split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
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

  /// What is typed, looked through as a section of the file would be. Throws `LibreError.sink`.
  public func checked(in file: ConfigurationFile?) throws(LibreError) -> SinkSetup {
    try SinkSetup(section(path: "the command line"), settings: file?.values ?? [:])
  }

  /// As it would stand in the file.
  public var text: String { section(path: "").text }

  func section(path: String) -> SinkSection { SinkSection(path: path, name: name, values: values, send: send) }
}
