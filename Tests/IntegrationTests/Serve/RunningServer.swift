// SPDX-License-Identifier: Apache-2.0
import Foundation
import Libre1Core
import TestSupport
import Testing

/// `libre serve` on a port of its own, with a store that holds a sensor that was read a minute ago.
final class RunningServer: Sendable {
  static let store = "store.sqlite"
  let sandbox: Sandbox
  let program: RunningProgram
  let port: Int

  convenience init(_ arguments: [String] = [], environment: [String: String] = [:], in sandbox: Sandbox? = nil) throws {
    try self.init(
      running: ["--store", Self.store] + arguments, environment: environment, in: try sandbox ?? Self.filled())
  }

  /// A server of the user and of Ann, each with a sensor, and with a secret of Ann's.
  convenience init(twoPeopleIn sandbox: Sandbox, secret: String) throws {
    for (name, secret) in [("secret", secret), ("anns-secret", "a secret of ann alone")] {
      try sandbox.write("\(secret)\n", to: name)
      chmod(sandbox.path(name), 0o600)
    }
    try Self.read(sandbox, atAge: 2_400, minutesAgo: 1, to: [])
    for arguments in [
      ["person", "add", "ann"], ["config", "set", "serve.secret_file", sandbox.path("anns-secret"), "--person", "ann"],
    ] {
      try #require(try sandbox.run(arguments).status == 0)
    }
    try Self.read(sandbox, seed: 2, atAge: 2_500, minutesAgo: 1, to: ["--person", "ann"])
    try self.init(running: ["--secret-file", "secret"], environment: [:], in: sandbox)
  }

  private init(running arguments: [String], environment: [String: String], in sandbox: Sandbox) throws {
    program = try sandbox.start(
      program: Sandbox.binary, ["serve", "--listen", "127.0.0.1:0"] + arguments, environment: environment)
    self.sandbox = sandbox
    var found = 0
    try eventually("the server listens") { [program] in
      let line = try program.lines().first { $0.hasPrefix("Listening on ") }
      found = line.flatMap { $0.firstMatch(of: #/:([0-9]+)\./#) }.flatMap { Int($0.1) } ?? 0
      return found > 0
    }
    port = found
  }

  deinit { program.send(SIGKILL) }

  /// A sandbox with a store.
  static func filled() throws -> Sandbox {
    let sandbox = try Sandbox()
    try read(sandbox, atAge: 2_400, minutesAgo: 1)
    return sandbox
  }

  /// Puts a reading into the store by another process.
  static func read(
    _ sandbox: Sandbox, seed: UInt64 = 1, atAge age: Int, minutesAgo: Double, to options: [String] = ["--store", store]
  ) throws {
    let readAt = ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: -60 * minutesAgo))
    let dump = try sandbox.write(SimulatedSensor(seed: seed).image(atAge: age).hexDump, to: "\(age).hex")
    try #require(try sandbox.run(["import", dump, "--read-at", readAt] + options).status == 0)
  }

  func ask(_ path: String, _ method: String = "GET", headers: [String] = []) throws -> LoopbackClient.Answer {
    try #require(LoopbackClient.ask(port, method, path, headers: headers), "no answer to \(path)")
  }

  /// The number of files and sockets it has open.
  var descriptors: Int {
    get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.identifier)/fd").count }
  }
}
