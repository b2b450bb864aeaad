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

/// The same for a command that goes on past errors, which it reports itself, and then has an exit status.
protocol FailingStatusCommand: ParsableCommand {
  func execute() throws(LibreError) -> Int32
}

extension FailingStatusCommand {
  func run() throws {
    let status: Int32
    do {
      status = try execute()
    } catch let error {
      Session.report(error)
      status = error.exitStatus
    }
    if status != 0 { throw ExitCode(status) }
  }
}

/// The same for a command that waits for hardware; Ctrl-C cancels it.
protocol FailingAsyncCommand: AsyncParsableCommand, Sendable {
  /// The exit status, where the command has reported its errors itself.
  ///
  /// Throws what stops it before there is anything to report.
  func execute() async throws(LibreError) -> Int32
}

extension FailingAsyncCommand {
  func run() async throws {
    let status: Int32 = await Interruption.cancels {
      do throws(LibreError) {
        return try await execute()
      } catch {
        Session.report(error)
        return error.exitStatus
      }
    }
    if status != 0 { throw ExitCode(status) }
  }
}
