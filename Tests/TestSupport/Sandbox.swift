// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import Testing

/// A folder in which the built command runs, with a home and an environment of its own; gone with it.
package final class Sandbox: Sendable {
  private let directory: TemporaryDirectory
  package var url: URL { directory.url }

  package init() throws {
    directory = try TemporaryDirectory()
    for name in ["home", "config", "data"] {
      try FileManager.default.createDirectory(
        at: directory.url.appendingPathComponent(name), withIntermediateDirectories: true)
    }
  }

  /// A new one with dumps of ours, each under a name of its own.
  package static func new(_ dumps: KeyValuePairs<String, String> = [:]) -> Sandbox {
    do {
      let sandbox = try Sandbox()
      for (dump, name) in dumps { try sandbox.copy(dump, to: name) }
      return sandbox
    } catch {
      preconditionFailure("no sandbox can be made: \(error)")
    }
  }

  /// The command lies beside the test bundle. `LIBRE_RELEASED` names another one: what users run.
  package static let binary =
    released
    ?? URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()
    .appendingPathComponent("libre").path

  /// The optimised command, if that is what is tested.
  package static let released = ProcessInfo.processInfo.environment["LIBRE_RELEASED"]

  /// True in a run of `tools/sanitizers/check`: a command with a sanitizer in it takes 15 TB of addresses, and much
  /// more memory, time and files than without.
  package static let isSanitized = ProcessInfo.processInfo.environment[leakOptions] != nil

  /// The leaks that the leak sanitizer ignores.
  private static let leakOptions = "LSAN_OPTIONS"

  /// What the command gets of this process's environment: where the Swift runtime is, if it is not where the build
  /// says, and what `tools/sanitizers/check` and `tools/mutants/check` set.
  private static let passedOn = ["LD_LIBRARY_PATH", "LD_PRELOAD", leakOptions, "TSAN_OPTIONS", "PLANTED_FAULT"]

  /// The dumps of ours that decode, by name.
  package static let soundDumps = ((try? FileManager.default.contentsOfDirectory(atPath: Repository.dumps.path)) ?? [])
    .filter { $0.hasSuffix(".hex") && !$0.hasPrefix("x-") }.sorted()

  package func path(_ name: String) -> String { directory.path(name) }
  package func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }
  package func bytes(of name: String) throws -> [UInt8] { try directory.bytes(of: name) }

  /// The text of a file; empty if there is none.
  package func text(of name: String) -> String { String(decoding: (try? bytes(of: name)) ?? [], as: UTF8.self) }

  /// Writes a file, with the directories above it, and returns its name.
  @discardableResult package func write(_ bytes: [UInt8], to name: String) throws -> String {
    try directory.write(bytes, to: name)
    return name
  }

  @discardableResult package func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  @discardableResult package func copy(_ dump: String, to name: String) throws -> String {
    try write([UInt8](try Data(contentsOf: Repository.dumps.appendingPathComponent(dump))), to: name)
  }

  /// Runs `libre` here. Of this process's environment only `passedOn` reaches it; local time is UTC unless
  /// `environment` says else.
  package func run(_ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]) throws -> Outcome {
    try run(program: Self.binary, arguments, input: input, environment: environment)
  }

  package func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

  /// Runs `libre` here, which has to succeed.
  @discardableResult package func done(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:],
    at place: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    let outcome = try run(arguments, input: input, environment: environment)
    #expect(outcome.status == 0, "\(arguments): \(outcome.errors)", sourceLocation: place)
    return outcome
  }

  @discardableResult package func done(
    _ arguments: String..., at place: SourceLocation = #_sourceLocation
  ) throws -> Outcome { try done(arguments, at: place) }

  /// Runs `libre` here while the test does other things: emulators among them need the threads of the pool.
  package func libre(_ arguments: [String], environment: [String: String] = [:]) async throws -> Outcome {
    try await blocking { try self.run(arguments, environment: environment) }
  }

  /// Runs a shell script in the same way.
  package func shell(_ script: String, in environment: [String: String]) async throws -> Outcome {
    try await blocking { try self.shell(script, environment: environment) }
  }

  /// Runs a shell script here, in which `$LIBRE` is the command.
  package func shell(_ script: String, environment: [String: String] = [:]) throws -> Outcome {
    try run(program: "/bin/sh", ["-c", script], environment: environment)
  }

  package func run(
    program: String, _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]
  ) throws -> Outcome {
    try start(program: program, arguments, input: input, environment: environment).outcome()
  }

  /// Starts `libre` here, and does not wait for it.
  package func start(_ arguments: [String]) throws -> RunningProgram {
    try start(program: Self.binary, arguments)
  }

  package func start(
    program: String, _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]
  ) throws -> RunningProgram {
    let name = UUID().uuidString
    for (part, bytes) in [("in", input), ("out", []), ("err", [])] { try write(bytes, to: "streams/\(name).\(part)") }
    let stream = { (part: String) in self.url.appendingPathComponent("streams/\(name).\(part)") }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = url
    process.environment = self.environment(environment)
    process.standardInput = try FileHandle(forReadingFrom: stream("in"))
    return try RunningProgram(process, output: stream("out"), errors: stream("err"))
  }

  /// Starts `libre` here, at a terminal of its own.
  package func terminal(
    _ arguments: [String], environment: [String: String] = [:], lines: UInt16 = 0
  ) throws -> TerminalProgram {
    try TerminalProgram(
      program: Self.binary, arguments, in: url,
      environment: self.environment(["TERM": "xterm"].merging(environment) { $1 }), lines: lines)
  }

  package func terminal(_ arguments: String...) throws -> TerminalProgram { try terminal(arguments) }

  /// The environment of a program here, with more.
  private func environment(_ more: [String: String]) -> [String: String] {
    var values = [
      "HOME": path("home"), "XDG_CONFIG_HOME": path("config"), "XDG_DATA_HOME": path("data"), "PATH": "/usr/bin:/bin",
      "TZ": "UTC", "LANG": "C.UTF-8", "LIBRE": Self.binary,
      // A busy machine may need longer than a person would wait.
      "LIBRE_SYNC_WAIT_SECONDS": "300",
    ]
    for name in Self.passedOn { values[name] = ProcessInfo.processInfo.environment[name] }
    return values.merging(more) { _, new in new }
  }
}
