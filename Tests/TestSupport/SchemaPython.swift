// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Sandbox {
  /// The first Python that has jsonschema: Debian's, or the one on the path.
  public func pythonWithSchemas() throws -> String {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    for program in ["/usr/bin/python3", "/usr/local/bin/python3", "python3"] {
      let outcome = try run(
        program: "/usr/bin/env", [program, "-c", "import jsonschema"], environment: ["PATH": path])
      if outcome.status == 0 { return program }
    }
    throw ProgramRun.Failure(
      program: "python3", output: "none has jsonschema; make test installs python3-jsonschema")
  }
}
