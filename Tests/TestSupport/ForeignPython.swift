// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Other people's programs that ours are held against: Debian's jsonschema, and the packages of the tests'
/// Validators/requirements.txt.
public enum ForeignPython {
  private static let values = ProcessInfo.processInfo.environment
  /// Where `tools/install test` puts what comes from PyPI.
  private static let packages =
    values["LIBRE_VALIDATORS"] ?? Sandbox.root.appendingPathComponent(".build/validators").path
  /// Where other programs are found.
  public static let path = values["PATH"] ?? "/usr/bin:/bin"

  /// Why a test that needs packages is skipped.
  public static let absence =
    "the packages of Validators/requirements.txt are not there, so PyPI was not reached; run tools/install test"

  /// Whether all of these packages are there, by the names of their folders.
  public static func has(_ names: String...) -> Bool {
    names.allSatisfy { FileManager.default.fileExists(atPath: "\(packages)/\($0)") }
  }

  /// What a program is started with that imports packages, and modules from these folders too.
  public static func environment(modules: [String] = [], packages hasPackages: Bool = true) -> [String: String] {
    [
      "PATH": path, "PYTHONPATH": (modules + (hasPackages ? [packages] : [])).joined(separator: ":"),
      "PYTHONDONTWRITEBYTECODE": "1",
    ]
  }

  /// The first Python that has jsonschema: Debian's, or the one on the path.
  public static func withSchemas() throws -> String { try schemas.get() }

  /// Looked for once.
  private static let schemas = Result {
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
