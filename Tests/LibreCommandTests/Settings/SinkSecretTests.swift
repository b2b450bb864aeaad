// SPDX-License-Identifier: Apache-2.0
import CGMModel
import CommandSupport
import Foundation
import SampleSync
import TestSupport
import Testing

@testable import LibreKit
@testable import SampleSync
@testable import TextFormats

struct SinkSecretTests {
  /// A text that is not part of any other text in the program.
  private static let text = "planted-Secret-93d1f0"

  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func file(_ bytes: [UInt8], mode: Int = 0o600, name: String = "secret") throws -> String {
    let path = try folder.write(bytes, to: name)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  private func file(_ text: String, mode: Int = 0o600) throws -> String { try file(Array(text.utf8), mode: mode) }

  private func read(_ path: String, _ environment: [String: String] = [:]) throws -> Secret {
    try SinkSecret.read(file: path, environment: environment)
  }

  private func setup(file: String? = nil, command: String? = nil) throws -> SinkSetup {
    var values = ["type": "nightscout", "url": "https://site.example"]
    values["secret_file"] = file
    values["secret_command"] = command
    return try SinkSetup(SinkSection(path: "/c", name: "a-night", values: values, send: nil))
  }

  /// Returns the error, which must not show the secret in any way.
  private func error(_ work: () throws -> Any?, _ place: SourceLocation = #_sourceLocation) throws -> SinkError {
    let error = try #require(throws: LibreError.self, sourceLocation: place) { try work() }
    for shown in [Self.everything(error), error.message, error.code] {
      #expect(!shown.contains(Self.text), sourceLocation: place)
    }
    guard let sinkError = error.sinkError else { throw error }
    return sinkError
  }

  /// Returns all texts that Swift itself can print of a value.
  private static func everything(_ value: Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text + String(describing: value) + String(reflecting: value)
      + "\(Mirror(reflecting: value).children.map { $0 })"
  }

  // MARK: Order of sources

  @Test("the variable wins over the file, the file over the command, which is then not run")
  func precedence() throws {
    let path = try file("of the file\n")
    let setup = try setup(file: path, command: "echo of the command")
    #expect(setup.secretVariable == "LIBRE_SECRET_A_NIGHT")
    let variable = ["LIBRE_SECRET_A_NIGHT": "of the variable", "LIBRE_SECRET": "x", "LIBRE_SECRET_a-night": "y"]
    #expect(try setup.secret(environment: variable)?.revealed() == "of the variable")
    #expect(setup.secretOrigin(environment: variable) == "LIBRE_SECRET_A_NIGHT")
    // An empty variable counts as unset.
    for environment in [[:], ["LIBRE_SECRET_A_NIGHT": ""]] {
      #expect(try setup.secret(environment: environment)?.revealed() == "of the file")
      #expect(setup.secretOrigin(environment: environment) == path)
    }
    let none = try self.setup()
    #expect(try none.secret(environment: [:]) == nil && none.secretOrigin(environment: [:]) == nil)
    // If the file cannot be read, the command is not tried.
    for path in ["/missing", "~/s/secret"] {
      let setup = try self.setup(file: path, command: "echo other")
      guard case .secretUnreadable(path, _) = try error({ try setup.secret(environment: [:]) }) else {
        Issue.record("it took the command")
        return
      }
    }
  }

  @Test("a leading tilde means the home directory, and no other tilde is expanded")
  func home() throws {
    _ = try file(Array("here".utf8), name: "s/secret")
    let environment = ["HOME": folder.path]
    #expect(try setup(file: "~/s/secret").secret(environment: environment)?.revealed() == "here")
    _ = try file(Array("there".utf8), name: "~x")
    #expect(try setup(file: folder.path + "/~x").secret(environment: environment)?.revealed() == "there")
    // Commands run in many directories.
    for path in ["~", "~root/s", "../s/secret", "s/../../secret", ""] {
      #expect(throws: LibreError.self, "\(path)") { try setup(file: path) }
    }
  }

  // MARK: Content

  @Test(
    "the secret is the first line of the file, without its end",
    arguments: [("a", "a"), ("a\r\nb", "a"), ("a\rb", "a"), (" a b \n", " a b "), ("é🙂\"'\\$x\n", "é🙂\"'\\$x")])
  func firstLine(text: String, secret: String) throws {
    #expect(try read(file(text)).revealed() == secret)
  }

  @Test("an empty first line, and bytes that are not text, are errors, and are not printed")
  func noText() throws {
    for text in ["", "\r\n", "\n\(Self.text)\n"] {
      let path = try file(text)
      #expect(try error { try read(path) } == .secretEmpty(origin: path))
    }
    let reason = "its first line is not UTF-8 text"
    for bytes in [[0], Array(Self.text.utf8) + [0xFF], [0xED, 0xA0, 0x80]] {
      let path = try file(bytes)
      #expect(try error { try read(path) } == .secretUnreadable(path: path, reason: reason))
    }
    // Text after the first line is ignored.
    #expect(try read(file(Array("a\n".utf8) + [0, 0xFF])).revealed() == "a")
  }

  // MARK: The file

  @Test("a file that anybody but its owner can read, write or run is refused with the command that fixes it")
  func modes() throws {
    for mode in [0o400, 0o700] {
      #expect(try read(file(Array("a".utf8), mode: mode, name: "\(mode)")).revealed() == "a")
    }
    for mode in [0o640, 0o604, 0o620, 0o601] {
      let path = try file(Self.text, mode: mode)
      #expect(try error { try read(path) } == .secretTooOpen(path: path, mode: String(mode, radix: 8)))
    }
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: try file(Self.text, mode: 0o644))
    #expect(try error { try read(link) } == .secretTooOpen(path: link, mode: "644"))
  }

  @Test("a credential of systemd, which its user may read by an access control list, is read")
  func credential() throws {
    let path = try file(Self.text, mode: 0o440)
    for directory in [folder.path + "/other", "", String(folder.path.dropLast())] {
      #expect(
        try error { try read(path, ["CREDENTIALS_DIRECTORY": directory]) } == .secretTooOpen(path: path, mode: "440"))
    }
    let credentials = ["CREDENTIALS_DIRECTORY": folder.path]
    #expect(try read(path, credentials).revealed() == Self.text)
    #expect(try setup(file: path).secret(environment: credentials)?.revealed() == Self.text)
    let open = try file(Array("a".utf8), mode: 0o444, name: "open")
    #expect(try error { try read(open, credentials) } == .secretTooOpen(path: open, mode: "444"))
  }

  @Test("a path that is not a regular file, or does not exist, is an error")
  func noFile() throws {
    let fifo = folder.path + "/fifo"
    #expect(mkfifo(fifo, 0o600) == 0)
    let loop = folder.path + "/loop"
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
    for path in [folder.path, fifo, "/dev/zero"] {
      #expect(
        try error { try read(path) }
          == .secretUnreadable(path: path, reason: "it is not a regular file"))
    }
    for path in [folder.path + "/missing", loop, "", "a\0b"] {
      guard case .secretUnreadable(path, let reason) = try error({ try read(path) }) else {
        Issue.record("\(path) was read")
        return
      }
      #expect(!reason.isEmpty)
    }
  }

  @Test("what is longer than 64 KiB is refused, neither cut nor read completely", .startsProcesses)
  func long() throws {
    let longest = String(repeating: "a", count: 65_536)
    #expect(try read(file(longest)).revealed() == longest)
    let tooLong = try file(longest + "b")
    let reason = "it is longer than 65536 bytes, so it is not a secret"
    #expect(try error { try read(tooLong) } == .secretUnreadable(path: tooLong, reason: reason))
    let command = try setup(command: "cat '\(tooLong)'")
    #expect(
      try error { try command.secret(environment: [:]) } == .secretUnreadable(path: "secret_command", reason: reason))
    let path = folder.path + "/sparse"
    #expect(
      FileManager.default.createFile(atPath: path, contents: Data("a\n".utf8), attributes: [.posixPermissions: 0o600]))
    #expect(truncate(path, 1 << 40) == 0)
    #expect(try error { try read(path) } == .secretUnreadable(path: path, reason: reason))
  }

  @Test("a written secret can be read back, only by its owner")
  func written() throws {
    let path = folder.path + "/new/secret"
    try SinkSecret.write(Secret(Self.text), to: path)
    #expect(try read(path).revealed() == Self.text)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    try SinkSecret.write(Secret("other"), to: path)
    #expect(try read(path).revealed() == "other")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/new") == ["secret"])
  }

  // MARK: The command

  @Test("the secret of a command is its first line, which must not be empty", .startsProcesses)
  func command() throws {
    #expect(try setup(command: "printf 'a b\\r\\nc'").secret(environment: [:])?.revealed() == "a b")
    let empty = try setup(command: "echo; echo \(Self.text)")
    #expect(try error { try empty.secret(environment: [:]) } == .secretEmpty(origin: "secret_command"))
    // The error of a failed command has its exit status and none of its output.
    let path = try file(Self.text)
    for (ending, status) in [("exit 3", 3), ("/no/such/program", 127), ("kill -9 $$", 128 + 9)] {
      let command = "cat '\(path)' && \(ending) 2>/dev/null"
      let setup = try setup(command: command)
      let found = try error { try setup.secret(environment: [:]) }
      #expect(found == .secretCommandFailed(status: status))
    }
  }

  @Test(
    "a command runs in its own session, without a terminal, if nobody can be asked", .startsProcesses)
  func nobodyToAsk() throws {
    // The sixth field is the session id, which is that of the process that started it.
    let setup = try setup(
      command: #"[ "$(cut -d ' ' -f 6 /proc/$$/stat)" = $$ ] && echo own || echo shared"#)
    #expect(try setup.secret(environment: [:])?.revealed() == "shared")
    for value in ["true", "1"] {
      #expect(try setup.secret(environment: ["LIBRE_NO_INPUT": value])?.revealed() == "own")
    }
    #expect(try setup.secret(environment: ["LIBRE_NO_INPUT": "false"])?.revealed() == "shared")
  }
}
