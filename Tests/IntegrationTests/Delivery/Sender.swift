// SPDX-License-Identifier: Apache-2.0
import Foundation
import Libre1Core
import Synchronization
import TestSupport
import Testing

/// The built command with a store and a configuration of its own, and what the store has for receivers.
struct Sender: Sendable {
  static let store = "store.sqlite"
  let sandbox: Sandbox

  /// A store with readings of the first sensor.
  init(_ stock: Stock = .few) throws {
    sandbox = try Sandbox()
    for (name, bytes) in try stock.files() { try sandbox.write(bytes, to: name) }
  }

  // MARK: Setting up

  /// A section of the configuration for each sink; its secret comes by the environment unless it says from where.
  func configure(_ sections: String...) throws {
    try sandbox.write(
      "[sync]\nmode = \"manual\"\n\n" + sections.joined(separator: "\n"), to: "config/libre/config.toml")
  }

  /// Puts a dump of the stock's sensor into the store, read at an age in minutes.
  func importDump(age: Int) throws {
    _ = try libre(["import", sandbox.write(Stock.dump(age: age), to: "dumps/\(age).hex")])
  }

  // MARK: Running

  /// Runs the command on the store.
  func libre(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
    try sandbox.run(arguments + ["--store", Self.store], environment: environment)
  }

  func sync(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
    try libre(["sync", "--json"] + arguments, environment: environment)
  }

  // MARK: What is there

  struct Sample: Hashable, Sendable {
    let id: String
    let value: HeldValue
  }

  /// The samples that receivers are to get: the history's values that have a time and no flag.
  func samples() throws -> [Sample] {
    let history = try libre(["history", "--from", "all", "--ndjson"])
    #expect(history.status == 0, "\(history.errors)")
    return try history.ndjson().compactMap { line in
      guard line["quality"].text == "ok", let id = line["id"].text,
        let value = HeldValue(line["time"].text, line["glucose_mg_dl"].number)
      else { return nil }
      return Sample(id: id, value: value)
    }
  }

  struct Outbox {
    var pending = 0
    /// Reasons by id.
    var dead: [String: String] = [:]
  }

  func outbox(_ sink: String = TestedSink.name) throws -> Outbox {
    let outcome = try libre(["outbox", "list", "--sink", sink, "--json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let found = try outcome.json()["sinks"].elements.first { $0["name"].text == sink }
    let document = try #require(found, "\(outcome.text)")
    var outbox = Outbox(pending: Int(document["pending"].number ?? -1))
    for sample in document["dead"].elements { outbox.dead[sample["id"].text ?? "?"] = sample["reason"].text ?? "" }
    return outbox
  }
}

/// Stores that several tests begin with, made once.
enum Stock: Int {
  /// About thirty history values, and a hundred.
  case single = 1
  case few = 4

  private static let made = Mutex<[Int: [String: [UInt8]]]>([:])
  private static let listed = Mutex<[Int: [Sender.Sample]]>([:])

  /// The samples of the unchanged store, listed once.
  func samples() throws -> [Sender.Sample] {
    try Self.listed.withLock { listed in
      if let samples = listed[rawValue] { return samples }
      let samples = try Sender(self).samples()
      listed[rawValue] = samples
      return samples
    }
  }

  /// Two scans of one sensor are so far apart at most that no history value is missed.
  static let step = 450

  static func dump(age: Int) -> String { SimulatedSensor(seed: 1).image(atAge: age).hexDump }

  /// The store's files by name.
  func files() throws -> [String: [UInt8]] {
    try Self.made.withLock { made in
      if let files = made[rawValue] { return files }
      let sandbox = try Sandbox()
      let names = try (0..<rawValue).map { step in
        let age = 600 + Self.step * step
        return try sandbox.write(Self.dump(age: age), to: "\(age).hex")
      }
      let outcome = try sandbox.run(["import", "--store", Sender.store] + names)
      guard outcome.status == 0 else { throw ProgramRun.Failure(program: "libre import", output: outcome.errors) }
      var files: [String: [UInt8]] = [:]
      for suffix in ["", "-wal"] {
        let url = sandbox.url.appending(path: Sender.store + suffix)
        if let bytes = try? Data(contentsOf: url), !bytes.isEmpty { files[Sender.store + suffix] = [UInt8](bytes) }
      }
      made[rawValue] = files
      return files
    }
  }
}
