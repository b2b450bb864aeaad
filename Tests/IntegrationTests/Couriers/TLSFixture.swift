// SPDX-License-Identifier: Apache-2.0
import Foundation
import SampleSync
import TestSupport

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

extension LoopbackProgram {
  /// `openssl s_server` with a certificate of the folder, which answers GET.
  convenience init(tls folder: TemporaryDirectory, certificate name: String, _ more: String...) throws {
    try self.init("/usr/bin/openssl", in: folder.url) { port in
      ["s_server", "-accept", "127.0.0.1:\(port)", "-www", "-cert", "\(name).crt", "-key", "\(name).key"] + more
    }
  }
}

extension Verdict {
  /// The verdict that work ends with; nil if it succeeds.
  static func of(_ work: () async throws(Verdict) -> Void) async -> Verdict? {
    do {
      try await work()
      return nil
    } catch {
      return error
    }
  }
}
