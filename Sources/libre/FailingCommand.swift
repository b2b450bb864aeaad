// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LibreKit

/// A command that ends with the exit status of what went wrong, and says why once.
protocol FailingCommand: ParsableCommand {
  func execute() throws(LibreError)
}

extension FailingCommand {
  func run() throws {
    do {
      try execute()
    } catch let error {
      Session.report(error)
      throw ExitCode(error.exitStatus)
    }
  }
}
