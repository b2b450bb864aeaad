// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Glibc

/// A real mosquitto on a free port of 127.0.0.1, with a configuration of the test's own. It ends with this value.
package final class MosquittoBroker: Sendable {
  private static let path = "/usr/sbin/mosquitto"
  private let program: LoopbackProgram
  private let folder: URL
  package var port: Int { program.port }

  /// `settings` are lines of its configuration; `port` is for one that comes back where another was.
  package init(in folder: URL, settings: String = "allow_anonymous true", port wanted: Int? = nil) throws {
    self.folder = folder
    program = try LoopbackProgram(Self.path, in: folder, port: wanted) { port in
      let file = folder.appending(path: "mosquitto-\(port).conf").path
      try "listener \(port) 127.0.0.1\nlog_dest none\npersistence false\nuser \(NSUserName())\n\(settings)\n"
        .write(toFile: file, atomically: true, encoding: .utf8)
      return ["-c", file]
    }
  }

  /// Kills the broker, like a crash.
  package func stop() { program.stop() }

  /// Holds the broker still: connections stay open and nothing is answered.
  package func freeze() { program.freeze() }

  /// The messages that the broker keeps for a topic filter, as Debian's own client gets them: `TOPIC RETAINED PAYLOAD`.
  ///
  /// The client also asks for the broker's version, which is kept by every broker and comes last: the broker answers
  /// the filters in their order. So there is nothing to wait for.
  package func kept(_ filter: String) throws -> [String] {
    let last = "$SYS/broker/version"
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: Self.subscriber)
    process.arguments = ["-h", "127.0.0.1", "-p", "\(port)", "-F", "%t %r %p", "-t", filter, "-t", last]
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    var bytes: [UInt8] = []
    while true {
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        .dropLast().map(String.init)
      if let end = lines.firstIndex(where: { $0.hasPrefix("\(last) ") }) { return Array(lines[..<end]) }
      let part = output.fileHandleForReading.availableData
      guard !part.isEmpty else {
        throw ProgramRun.Failure(program: Self.subscriber, output: String(decoding: bytes, as: UTF8.self))
      }
      bytes += part
    }
  }

  private static let subscriber = "/usr/bin/mosquitto_sub"

  /// The programs that must be installed for tests with a broker.
  package static let programs = [path, subscriber, "/usr/bin/mosquitto_pub", "/usr/bin/mosquitto_passwd"]
}
