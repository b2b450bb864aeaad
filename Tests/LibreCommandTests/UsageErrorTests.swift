// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Errors of usage have the form of all other errors, and the nearest reason comes first.
struct UsageErrorTests {
  private let sandbox = Sandbox.new()

  private func usage(_ arguments: String...) throws -> [String] {
    let outcome = try sandbox.run(arguments)
    #expect(outcome.status == 64, "\(arguments)")
    #expect(outcome.output.isEmpty)
    let lines = outcome.errors.split(separator: "\n").map(String.init)
    #expect(lines.count == 2 && lines.first?.hasPrefix("libre: ") == true, "\(outcome.errors)")
    #expect(lines.last?.hasPrefix("  Try: ") == true, "\(outcome.errors)")
    return lines
  }

  @Test("for a mistyped command or option the error suggests the right one, before it names any other fault")
  func commands() throws {
    #expect(try usage("reed") == ["libre: unknown command 'reed'", "  Try: did you mean libre read?"])
    #expect(try usage("sink", "ad")[1] == "  Try: did you mean libre sink add?")
    #expect(try usage("zzzzzz")[1] == "  Try: libre --help")
    #expect(
      try usage("report", "--store", "s", "--sensr", "X", "a.hex")[0] == "libre: unknown option '--sensr'")
    #expect(try usage("decode", "a.hex", "--jsn")[1] == "  Try: did you mean --json?")
    #expect(try usage("latest", "--json", "--csvs")[0] == "libre: unknown option '--csvs'")
  }

  @Test("a secret in the command line is never repeated")
  func secrets() throws {
    for arguments in [["--secret", "mypass"], ["--secret=mypass"], ["mypass"], ["secret=mypass"], ["token=mypass"]] {
      let outcome = try sandbox.run(["sink", "add", "ns", "nightscout", "url=https://ns.example"] + arguments)
      #expect(outcome.status == 64)
      #expect(!outcome.errors.contains("mypass"), "\(outcome.errors)")
    }
    let outcome = try sandbox.run("sink", "add", "ns", "nightscout", "--secret", "mypass")
    #expect(outcome.errors.contains("--secret-stdin"), "\(outcome.errors)")
  }

  @Test("help and --version go to standard output, with status 0")
  func help() throws {
    let outcome = try sandbox.run("help", "sink", "add")
    #expect(outcome.status == 0 && outcome.errors.isEmpty && !outcome.output.isEmpty)
    let version = try sandbox.run("--version")
    #expect(version.status == 0 && version.text == "libre 0.1.0\n")
  }
}
