// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LibreDocuments
import LibreKit

/// A command that ends with the exit status of what went wrong, and says why once.
protocol FailingCommand: ParsableCommand {
  /// The file that errors are about, if they are about one.
  var input: String? { get }
  /// The form in which standard output gets an error too; nil for none. A program that reads JSON gets JSON in any case.
  var errorFormat: OutputFormat? { get }
  /// Throws an error of any layer.
  func execute() throws
}

extension FailingCommand {
  var input: String? { nil }
  var errorFormat: OutputFormat? { nil }

  func run() throws {
    do {
      try execute()
    } catch {
      guard let error = LibreError(wrapping: error) else { throw error }
      Session.report(error, input: input)
      Session.write(error, path: input, as: errorFormat)
      throw ExitCode(error.exitStatus)
    }
  }
}

/// The same for a command that goes on past errors, which it reports itself, and then has an exit status.
protocol FailingStatusCommand: ParsableCommand {
  /// As for `FailingCommand`.
  var errorFormat: OutputFormat? { get }
  /// As for `FailingCommand`.
  func execute() throws -> Int32
}

extension FailingStatusCommand {
  var errorFormat: OutputFormat? { nil }

  func run() throws {
    let status: Int32
    do {
      status = try execute()
    } catch {
      guard let error = LibreError(wrapping: error) else { throw error }
      Session.report(error)
      Session.write(error, path: nil, as: errorFormat)
      status = error.exitStatus
    }
    if status != 0 { throw ExitCode(status) }
  }
}

/// The same for a command that waits for hardware; Ctrl-C cancels it.
protocol FailingAsyncCommand: AsyncParsableCommand, Sendable {
  /// As for `FailingCommand`.
  var errorFormat: OutputFormat? { get }
  /// The exit status, where the command has reported its errors itself.
  ///
  /// Throws what stops it before there is anything to report.
  func execute() async throws(LibreError) -> Int32
}

extension FailingAsyncCommand {
  var errorFormat: OutputFormat? { nil }

  func run() async throws {
    let status: Int32 = await Interruption.cancels {
      do throws(LibreError) {
        return try await execute()
      } catch {
        Session.report(error)
        Session.write(error, path: nil, as: errorFormat)
        return error.exitStatus
      }
    }
    if status != 0 { throw ExitCode(status) }
  }
}
