// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A program that is run to its end.
package enum ProgramRun {
  /// It has not ended with 0, or has not become what it should.
  package struct Failure: Error, CustomStringConvertible {
    package let program: String
    package let output: String

    package init(program: String, output: String) {
      self.program = program
      self.output = output
    }

    package var description: String { "\(program): \(output)" }
  }

  /// Runs a program, found on the path, in a folder, and returns what it says on both streams.
  ///
  /// Throws `Failure` if it does not end with 0.
  @discardableResult package static func output(_ program: String, _ arguments: [String], in folder: URL) throws
    -> String
  {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    if process.terminationStatus != 0 { throw Failure(program: program, output: text) }
    return text
  }
}
