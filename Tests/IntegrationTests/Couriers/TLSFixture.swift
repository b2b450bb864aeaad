// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

extension TemporaryDirectory {
  /// Runs a program in this directory, and returns what it writes to both streams.
  @discardableResult func run(_ program: String, _ arguments: String...) throws -> String {
    try run(program, arguments)
  }

  @discardableResult func run(_ program: String, _ arguments: [String]) throws -> String {
    try ProgramRun.output(program, arguments, in: url)
  }

  /// A key and a certificate signed with it, NAME.key and NAME.crt, for a host name.
  func makeCertificate(_ name: String, for host: String) throws {
    try run(
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
      "-keyout", "\(name).key", "-out", "\(name).crt", "-subj", "/CN=\(host)", "-addext", "subjectAltName=DNS:\(host)")
  }
}

/// `openssl s_server` on a free port of 127.0.0.1, which answers GET. It ends with this value.
final class TLSServer: Sendable {
  let port: Int
  private let process = Process()
  private let output = Pipe()

  init(_ folder: TemporaryDirectory, certificate name: String, _ more: String...) throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["openssl", "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", "\(name).crt", "-key", "\(name).key"] + more
    process.currentDirectoryURL = folder.url
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = ""
    while !text.contains(/ACCEPT [0-9.]+:\d+\n/) {
      let part = output.fileHandleForReading.availableData
      if part.isEmpty { break }
      text += String(decoding: part, as: UTF8.self)
    }
    port = try #require(text.firstMatch(of: /ACCEPT [0-9.]+:(\d+)\n/).flatMap { Int($0.1) }, "\(text)")
    output.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
  }

  deinit {
    output.fileHandleForReading.readabilityHandler = nil
    // Not by SIGTERM, which a program inherits as blocked from a thread of Dispatch.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
