// SPDX-License-Identifier: Apache-2.0
import Foundation
import SensorSimulator
import TestSupport
import Testing

/// `libre serve` on a port of its own, with a store that holds a sensor that was read a minute ago.
final class RunningServer: Sendable {
  static let store = "store.sqlite"
  let sandbox: Sandbox
  let program: RunningProgram
  let port: Int

  init(_ arguments: [String] = [], environment: [String: String] = [:], in sandbox: Sandbox? = nil) throws {
    let sandbox = try sandbox ?? Self.filled()
    program = try sandbox.start(
      program: Sandbox.binary, ["serve", "--listen", "127.0.0.1:0", "--store", Self.store] + arguments,
      environment: environment)
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
  static func read(_ sandbox: Sandbox, atAge age: Int, minutesAgo: Double) throws {
    let readAt = ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: -60 * minutesAgo))
    let dump = try sandbox.write(SimulatedSensor(seed: 1).image(atAge: age).hexDump, to: "\(age).hex")
    try #require(try sandbox.run("import", dump, "--read-at", readAt, "--store", store).status == 0)
  }

  func ask(_ path: String, _ method: String = "GET", headers: [String] = []) throws -> LoopbackClient.Answer {
    try #require(LoopbackClient.ask(port, method, path, headers: headers), "no answer to \(path)")
  }

  /// The number of files and sockets it has open.
  var descriptors: Int {
    get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.identifier)/fd").count }
  }
}
