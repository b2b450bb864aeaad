// SPDX-License-Identifier: Apache-2.0
import Foundation
import Libre1Core
import TestSupport
import Testing

/// A store with some readings in it, for which something goes wrong.
final class FaultyStore: Sendable {
  static let name = "folder/history.sqlite"
  let sandbox: Sandbox
  /// What was in it before: one line a sample.
  let initialContents: [String]

  /// What each test gets a copy of: made once, since it takes three runs of the command.
  private struct Original {
    let dumps: [String: String]
    let bytes: [UInt8]
    let contents: [String]
  }

  private static let original = Result { try make() }

  /// Made from the dumps `1.hex` to `4.hex`; `5.hex` and more are still to come.
  private static func make() throws -> Original {
    let sandbox = try Sandbox()
    var dumps: [String: String] = [:]
    for seed in 1...24 { dumps["\(seed).hex"] = SimulatedSensor(seed: UInt64(seed)).image(atAge: 5_000).hexDump }
    for (name, text) in dumps { try sandbox.write(text, to: name) }
    let made = try sandbox.run(["import", "--store", name, "1.hex", "2.hex", "3.hex", "4.hex"])
    try #require(made.status == 0, "\(made.errors)")
    let contents = try contents(of: name, sandbox)
    try #require(contents.count == 4 * 48)
    // A reader leaves an empty log behind, which the next writer removes.
    _ = try sandbox.run(["import", "1.hex", "--store", name])
    try #require(try files(sandbox) == ["history.sqlite"])
    let bytes = [UInt8](try Data(contentsOf: sandbox.url.appendingPathComponent(name)))
    return Original(dumps: dumps, bytes: bytes, contents: contents)
  }

  init() throws {
    let original = try Self.original.get()
    sandbox = try Sandbox()
    initialContents = original.contents
    for (name, text) in original.dumps { try sandbox.write(text, to: name) }
    try sandbox.write(original.bytes, to: Self.name)
  }

  /// The store as it is now.
  func contents() throws -> [String] { try Self.contents(of: Self.name, sandbox) }

  private static func contents(of store: String, _ sandbox: Sandbox) throws -> [String] {
    let export = try sandbox.run(["export", "--to", "ndjson", "--ring", "all", "--store", store])
    try #require(export.status == 0, "\(export.errors)")
    return export.lines
  }

  var bytes: [UInt8] {
    get throws { [UInt8](try Data(contentsOf: sandbox.url.appendingPathComponent(Self.name))) }
  }

  func replace(with bytes: [UInt8]) throws { try sandbox.write(bytes, to: Self.name) }

  /// Files in the store's folder.
  func files() throws -> [String] { try Self.files(sandbox) }

  private static func files(_ sandbox: Sandbox) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: sandbox.path("folder")).sorted()
  }

  func run(_ command: [String]) throws -> Outcome { try sandbox.run(command + ["--store", Self.name]) }

  /// A shell script in which `$STORE` is the store. `within` is a program that runs the script.
  func shell(_ script: String, within: String = "") throws -> Outcome {
    try sandbox.write(script, to: "script.sh")
    return try sandbox.shell("exec \(within) sh script.sh", environment: ["STORE": Self.name])
  }
}

extension Outcome {
  /// One error that says what is wrong and how to go on, and this exit status.
  func fails(_ status: Int32, saying words: String) -> Bool {
    self.status == status && errors.hasPrefix("libre: ") && errors.contains(words) && errors.contains("\n  Try: ")
  }
}
