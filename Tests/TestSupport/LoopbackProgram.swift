// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Glibc

/// Somebody else's server on a free port of 127.0.0.1, which ends with this.
package final class LoopbackProgram: Sendable {
  package let port: Int
  private let process: Process

  /// Starts the program at `path` and waits until its port takes connections.
  ///
  /// `arguments` gets the port, and may write a configuration; `port` is for a server that comes back where another was.
  /// Throws `ProgramRun.Failure` if it does not start.
  package init(_ path: String, in folder: URL, port wanted: Int? = nil, arguments: (Int) throws -> [String]) throws {
    // Between finding a free port and its use by the server another program may take it.
    for _ in 0..<5 {
      let port = try wanted ?? LoopbackServer.closedPort()
      if let process = try Self.start(path, arguments(port), in: folder, port) {
        self.port = port
        self.process = process
        return
      }
    }
    throw ProgramRun.Failure(program: path, output: "it does not start")
  }

  private static func start(_ path: String, _ arguments: [String], in folder: URL, _ port: Int) throws -> Process? {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    try eventually("\(path) takes connections") { accepts(port) || !process.isRunning }
    return process.isRunning ? process : nil
  }

  private static func accepts(_ port: Int) -> Bool {
    guard let descriptor = LoopbackClient.connection(to: port) else { return false }
    close(descriptor)
    return true
  }

  deinit { stop() }

  /// Kills the program, like a crash.
  package func stop() {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Holds it still: connections stay open and nothing is answered.
  package func freeze() { kill(process.processIdentifier, SIGSTOP) }
}
