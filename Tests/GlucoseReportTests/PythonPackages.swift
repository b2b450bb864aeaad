// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Other people's programs that figures are compared with: those of Validators/requirements.txt.
enum PythonPackages {
  /// Of these tests.
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let environment = ProcessInfo.processInfo.environment
  /// Where `tools/install test` puts them.
  private static let place =
    environment["LIBRE_VALIDATORS"] ?? Sandbox.root.appendingPathComponent(".build/validators").path
  static let absence: Comment =
    "the packages of Validators/requirements.txt are not there, so PyPI was not reached; run tools/install test"

  /// Whether Figures are to be written anew.
  static let areFiguresKept = environment["LIBRE_KEEP_FIGURES"] != nil

  static func figures(_ name: String) -> URL { folder.appendingPathComponent("Figures/\(name).json") }

  static func has(_ names: String...) -> Bool {
    names.allSatisfy { FileManager.default.fileExists(atPath: "\(place)/\($0)") }
  }

  /// Runs a program of Validators.
  static func run(_ program: String, _ arguments: String..., input: [UInt8] = []) throws -> Outcome {
    try Sandbox().run(
      program: "/usr/bin/env", ["python3", folder.appendingPathComponent("Validators/\(program)").path] + arguments,
      input: input,
      environment: [
        "PATH": environment["PATH"] ?? "/usr/bin:/bin", "PYTHONPATH": place, "PYTHONDONTWRITEBYTECODE": "1",
      ])
  }
}
