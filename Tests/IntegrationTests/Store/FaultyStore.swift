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

  /// Made from the dumps `1.hex` to `4.hex`; `5.hex` and more are still to come.
  init() throws {
    sandbox = try Sandbox()
    for seed in 1...24 {
      try sandbox.write(SimulatedSensor(seed: UInt64(seed)).image(atAge: 5_000).hexDump, to: "\(seed).hex")
    }
    let made = try sandbox.run(["import", "--store", Self.name, "1.hex", "2.hex", "3.hex", "4.hex"])
    try #require(made.status == 0, "\(made.errors)")
    initialContents = try Self.contents(sandbox)
    try #require(initialContents.count == 4 * 48)
    // A reader leaves an empty log behind, which the next writer removes.
    _ = try sandbox.run(["import", "1.hex", "--store", Self.name])
    try #require(try files() == ["history.sqlite"])
  }

  /// The store as it is now.
  func contents() throws -> [String] { try Self.contents(sandbox) }

  private static func contents(_ sandbox: Sandbox) throws -> [String] {
    let export = try sandbox.run(["export", "--to", "ndjson", "--ring", "all", "--store", name])
    try #require(export.status == 0, "\(export.errors)")
    return export.lines
  }

  var bytes: [UInt8] {
    get throws { [UInt8](try Data(contentsOf: sandbox.url.appendingPathComponent(Self.name))) }
  }

  func replace(with bytes: [UInt8]) throws { try sandbox.write(bytes, to: Self.name) }

  /// Files in the store's folder.
  func files() throws -> [String] {
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
