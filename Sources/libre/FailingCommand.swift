// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LibreKit

/// A command that ends with the exit status of what went wrong, and says why once.
protocol FailingCommand: ParsableCommand {
  /// The file that errors are about, if they are about one.
  var input: String? { get }
  func execute() throws(LibreError)
}

extension FailingCommand {
  var input: String? { nil }

  func run() throws {
    do {
      try execute()
    } catch let error {
      Session.report(error, input: input)
      throw ExitCode(error.exitStatus)
    }
  }
}
