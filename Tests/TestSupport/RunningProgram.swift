// SPDX-License-Identifier: Apache-2.0
package import Dispatch
import Foundation

/// A program that was started in a sandbox and runs by itself, with its streams in files: no output is too long for them.
package final class RunningProgram: Sendable {
  private let process: Process
  private let end = DispatchSemaphore(value: 0)
  private let output: URL
  private let errors: URL

  init(_ process: Process, output: URL, errors: URL) throws {
    self.process = process
    self.output = output
    self.errors = errors
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    process.terminationHandler = { [end] _ in end.signal() }
    try process.run()
  }

  /// Its number among the machine's processes.
  package var identifier: Int32 { process.processIdentifier }

  /// Waits for its end; false if it is still running at this moment.
  package func ends(by moment: DispatchTime) -> Bool {
    guard end.wait(timeout: moment) == .success else { return false }
    end.signal()
    return true
  }

  /// Sends a signal, unless it has ended.
  package func send(_ signal: Int32) { if process.isRunning { kill(process.processIdentifier, signal) } }

  /// The lines of standard output that are complete by now.
  package func lines() throws -> [String] {
    let bytes = [UInt8](try Data(contentsOf: output))
    return Outcome(status: 0, output: bytes, errors: "").lines
  }

  /// What it has written to standard error by now.
  package func errorText() throws -> String { String(decoding: try Data(contentsOf: errors), as: UTF8.self) }

  /// Waits for its end, and gives what it left.
  package func outcome() throws -> Outcome {
    process.waitUntilExit()
    return Outcome(
      status: process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus,
      output: [UInt8](try Data(contentsOf: output)),
      errors: try errorText())
  }
}
