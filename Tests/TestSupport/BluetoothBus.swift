// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Synchronization
package import Testing

/// A private message bus with a bluetoothd that has simulated meters: `Tests/IntegrationTests/Bluetooth/meter_bus.py`,
/// whose text describes the meters, their faults and the commands. It ends with this value.
package final class BluetoothBus: Sendable {
  /// The requests to bluetoothd and the meters, and their present state.
  package struct State: Decodable, Hashable, Sendable {
    package struct Meter: Decodable, Hashable, Sendable {
      package let known, paired, connected, trusted: Bool
      /// Characteristic, bytes in hexadecimal digits, and the kind of write.
      package let written: [[String]]
      /// Records that a cuff has not sent yet.
      package let left: Int
    }

    package let discovering: Bool
    package let agents, cancelled: Int
    package let meters: [String: Meter]

    /// No search, no agent and no link: as it was before anyone came.
    package var isAtRest: Bool { !discovering && agents == 0 && meters.values.allSatisfy { !$0.connected } }
  }

  /// The address of the first meter, unless it has one of its own.
  package static let meter = "C0:FF:EE:00:00:01"

  /// The variable that makes libre use this bus.
  package let environment: [String: String]
  private let process: Process
  private let commands: FileHandle
  private let answers: Mutex<Answers>

  /// Starts a bus with these facts, in JSON.
  package init(_ facts: String = "{}") throws {
    process = Process()
    let input = Pipe()
    let output = Pipe()
    process.executableURL = URL(filePath: Self.python)
    process.arguments = [Self.program.path, facts]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    var values = ProcessInfo.processInfo.environment
    values["PYTHONDONTWRITEBYTECODE"] = "1"
    process.environment = values
    try process.run()
    commands = input.fileHandleForWriting
    var answers = Answers(handle: output.fileHandleForReading)
    guard let address = answers.next() else {
      process.waitUntilExit()
      throw ProgramRun.Failure(program: Self.program.path, output: "it does not start")
    }
    environment = ["DBUS_SYSTEM_BUS_ADDRESS": address]
    self.answers = Mutex(answers)
  }

  /// A bus with one meter with these facts besides its kind: `"records": 3`.
  package convenience init(glucose facts: String) throws {
    try self.init(#"{"meters": [{"kind": "glucose", \#(facts)}]}"#)
  }

  package convenience init(cuff facts: String) throws {
    try self.init(#"{"meters": [{"kind": "pressure", \#(facts)}]}"#)
  }

  deinit {
    try? commands.close()
    process.waitUntilExit()
  }

  package func state() throws -> State { try tell("state") }

  /// Gives a command and returns the state after it.
  @discardableResult package func tell(_ command: String) throws -> State {
    let answer = try answers.withLock { answers in
      try commands.write(contentsOf: Data((command + "\n").utf8))
      return answers.next()
    }
    guard let answer else { throw ProgramRun.Failure(program: Self.program.path, output: "it ended at: \(command)") }
    return try JSONDecoder().decode(State.self, from: Data(answer.utf8))
  }

  private struct Answers: Sendable {
    let handle: FileHandle
    var rest = Data()

    mutating func next() -> String? {
      while true {
        if let end = rest.firstIndex(of: 0x0A) {
          defer { rest = Data(rest[rest.index(after: end)...]) }
          return String(decoding: rest[..<end], as: UTF8.self)
        }
        let part = handle.availableData
        if part.isEmpty { return nil }
        rest += part
      }
    }
  }

  private static let python = "/usr/bin/python3"
  private static var program: URL {
    Repository.root.appendingPathComponent("Tests/IntegrationTests/Bluetooth/meter_bus.py")
  }

  /// The message bus, dbusmock and sd-bus are installed. CI has to have them.
  package static let isThere: Bool = {
    if ProcessInfo.processInfo.environment["CI"] == "true" { return true }
    let files = [
      "/usr/bin/dbus-daemon", "/usr/lib/python3/dist-packages/dbusmock/__init__.py",
      "/usr/lib/python3/dist-packages/gi/__init__.py",
    ]
    guard files.allSatisfy(FileManager.default.fileExists(atPath:)) else { return false }
    guard let library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL) else { return false }
    dlclose(library)
    return true
  }()
}

extension Trait where Self == ConditionTrait {
  /// The test needs a private message bus with a simulated bluetoothd.
  package static var needsBluetoothBus: Self {
    .enabled("the message bus is not installed: apt-get install dbus python3-dbusmock libsystemd0") {
      BluetoothBus.isThere
    }
  }
}
