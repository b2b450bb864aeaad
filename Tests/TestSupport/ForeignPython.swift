// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Programs of other people in Python that our results are compared with: Debian's jsonschema, and the packages of the
/// tests' Validators/requirements.txt. Every test that uses them has the trait `.startsProcesses`.
package enum ForeignPython {
  /// What a program imports: Python alone, jsonschema, or packages of PyPI.
  package enum Rules: Sendable { case python, jsonschema, packages }

  private static let values = ProcessInfo.processInfo.environment
  /// Where `tools/install test` puts what comes from PyPI.
  private static let packages =
    values["LIBRE_VALIDATORS"] ?? Repository.root.appendingPathComponent(".build/validators").path
  /// The directories in which programs are found.
  package static let path = values["PATH"] ?? "/usr/bin:/bin"

  /// Why a test that needs packages is skipped.
  package static let absence =
    "the packages of Validators/requirements.txt are not there, so PyPI was not reached; run tools/install test"

  /// Whether all of these packages are there, by the names of their directories.
  package static func has(_ names: String...) -> Bool {
    names.allSatisfy { FileManager.default.fileExists(atPath: "\(packages)/\($0)") }
  }

  /// Runs a program of the `Validators` directory of a test target. It can import the modules of `Tests/Validators` too.
  ///
  /// `sandbox` is the directory in which it runs; without one it gets a new one.
  package static func run(
    _ program: String, of target: String, _ arguments: [String] = [], input: [UInt8] = [], by rules: Rules,
    in sandbox: Sandbox? = nil
  ) throws -> Outcome {
    let tests = Repository.root.appendingPathComponent("Tests")
    let modules = [tests.appendingPathComponent("Validators").path] + (rules == .packages ? [packages] : [])
    return try (sandbox ?? Sandbox()).run(
      program: "/usr/bin/env",
      [
        rules == .jsonschema ? interpreterWithSchemas.get() : "python3",
        tests.appendingPathComponent("\(target)/Validators/\(program)").path,
      ] + arguments, input: input,
      environment: [
        "PATH": path, "PYTHONPATH": modules.joined(separator: ":"), "PYTHONDONTWRITEBYTECODE": "1",
      ])
  }

  /// The first Python that has jsonschema: Debian's, or the one on the path. Looked for once.
  private static let interpreterWithSchemas = Result {
    let sandbox = try Sandbox()
    for program in ["/usr/bin/python3", "/usr/local/bin/python3", "python3"] {
      let outcome = try sandbox.run(
        program: "/usr/bin/env", [program, "-c", "import jsonschema"], environment: ["PATH": path])
      if outcome.status == 0 { return program }
    }
    throw ProgramRun.Failure(
      program: "python3", output: "none has jsonschema; make test installs python3-jsonschema")
  }
}
