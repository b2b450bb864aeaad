// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

/// A real mosquitto on a free port of 127.0.0.1, with a configuration of the test's own; ends with this.
final class MosquittoBroker: Sendable {
  static let program = "/usr/sbin/mosquitto"
  let port: Int
  private let folder: CourierFolder
  private let process: Process

  /// `settings` are lines of its configuration; `port` is for one that comes back where another was.
  init(_ folder: CourierFolder, settings: String = "allow_anonymous true", port wanted: Int? = nil) throws {
    self.folder = folder
    // Between finding a free port and its use by the broker another program may take it.
    for _ in 0..<5 {
      let port = try wanted ?? LoopbackServer.closedPort()
      let file = folder.path("mosquitto-\(port).conf")
      try "listener \(port) 127.0.0.1\nlog_dest none\npersistence false\nuser \(NSUserName())\n\(settings)\n"
        .write(toFile: file, atomically: true, encoding: .utf8)
      if let process = try Self.start(file, port) {
        self.port = port
        self.process = process
        return
      }
    }
    throw CourierFolder.ProgramFailure(program: Self.program, output: "it does not start")
  }

  private static func start(_ file: String, _ port: Int) throws -> Process? {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = ["-c", file]
    process.standardError = FileHandle.nullDevice
    try process.run()
    for _ in 0..<500 {
      if accepts(port) { return process }
      if !process.isRunning { return nil }
      Thread.sleep(forTimeInterval: 0.01)
    }
    kill(process.processIdentifier, SIGKILL)
    return nil
  }

  private static func accepts(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = in_port_t(port).bigEndian
    return withUnsafeBytes(of: &address) {
      connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count)) == 0
    }
  }

  deinit { stop() }

  /// As a crash would.
  func stop() {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Holds the broker still: connections stay open and nothing is answered.
  func freeze() { kill(process.processIdentifier, SIGSTOP) }

  /// What Debian's own client gets for these arguments: `TOPIC RETAINED PAYLOAD` on each line, `count` of them at most.
  func received(_ arguments: String..., count: Int) throws -> [String] {
    // It ends with 27 if fewer come in the two seconds that it waits.
    try folder.run(
      "sh",
      [
        "-c", "mosquitto_sub \"$@\" 2>/dev/null || [ $? = 27 ]", "sh", "-h", "127.0.0.1", "-p", "\(port)", "-F",
        "%t %r %p",
      ]
        + ["-W", "2", "-C", "\(count)"] + arguments
    ).split(separator: "\n").map(String.init)
  }

  static let isThere = [program, "/usr/bin/mosquitto_sub", "/usr/bin/mosquitto_passwd"].allSatisfy { (path: String) in
    access(path, X_OK) == 0
  }
}

extension Trait where Self == ConditionTrait {
  static var needsMosquitto: Self {
    .enabled("mosquitto or mosquitto-clients is not installed") {
      ProcessInfo.processInfo.environment["CI"] == "true" || MosquittoBroker.isThere
    }
  }
}
