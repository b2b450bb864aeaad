// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Glibc

/// A real mosquitto on a free port of 127.0.0.1, with a configuration of the test's own; ends with this.
public final class MosquittoBroker: Sendable {
  private static let path = "/usr/sbin/mosquitto"
  private let program: LoopbackProgram
  private let folder: URL
  public var port: Int { program.port }

  /// `settings` are lines of its configuration; `port` is for one that comes back where another was.
  public init(in folder: URL, settings: String = "allow_anonymous true", port wanted: Int? = nil) throws {
    self.folder = folder
    program = try LoopbackProgram(Self.path, in: folder, port: wanted) { port in
      let file = folder.appending(path: "mosquitto-\(port).conf").path
      try "listener \(port) 127.0.0.1\nlog_dest none\npersistence false\nuser \(NSUserName())\n\(settings)\n"
        .write(toFile: file, atomically: true, encoding: .utf8)
      return ["-c", file]
    }
  }

  /// As a crash would.
  public func stop() { program.stop() }

  /// Holds the broker still: connections stay open and nothing is answered.
  public func freeze() { program.freeze() }

  public func thaw() { program.thaw() }

  /// What Debian's own client gets for these arguments: `TOPIC RETAINED PAYLOAD` on each line, `count` of them at most.
  public func received(_ arguments: String..., count: Int) throws -> [String] {
    // It ends with 27 if fewer come in the two seconds that it waits.
    try ProgramRun.output(
      "sh",
      [
        "-c", "mosquitto_sub \"$@\" 2>/dev/null || [ $? = 27 ]", "sh", "-h", "127.0.0.1", "-p", "\(port)", "-F",
        "%t %r %p", "-W", "2", "-C", "\(count)",
      ] + arguments, in: folder
    ).split(separator: "\n").map(String.init)
  }

  public static let isThere = [path, "/usr/bin/mosquitto_sub", "/usr/bin/mosquitto_passwd"].allSatisfy {
    (path: String) in access(path, X_OK) == 0
  }
}
