// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Figures of other people's programs, which ours are compared with: those that were kept, and how they come about.
enum ForeignFigures {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  /// Whether Figures are to be written anew.
  static let areKeptAnew = ProcessInfo.processInfo.environment["LIBRE_KEEP_FIGURES"] != nil

  static func kept(_ name: String) -> URL { folder.appendingPathComponent("Figures/\(name).json") }

  /// What a program of Validators says of the input.
  static func run(_ program: String, _ arguments: String..., input: [UInt8] = []) throws -> Outcome {
    try Sandbox().run(
      program: "/usr/bin/env", ["python3", folder.appendingPathComponent("Validators/\(program)").path] + arguments,
      input: input, environment: ForeignPython.environment())
  }
}
