// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LibreDocuments
import LibreKit

/// A command that reports once what stopped it, and ends with the exit status of that.
protocol LibreCommand: AsyncParsableCommand, Sendable {
  /// `Void`, or `Int32` for a command that reports errors itself and goes on: its exit status.
  associatedtype Outcome = Void

  /// True for a command that waits for hardware or a network: Ctrl-C cancels it, so that it closes what it has opened.
  static var isCancellable: Bool { get }

  var global: GlobalOptions { get }
  /// Settings that the command's own options make.
  var flags: [Setting: String] { get }
  /// The file that errors are about, if they are about one.
  var inputPath: String? { get }
  /// Whether one JSON document is asked for.
  var json: Bool { get }
  /// The format in which an error is written to standard output too; nil for none. A program that reads JSON gets JSON.
  var errorFormat: OutputFormat? { get }

  /// Does the work, on the main thread as far as it waits for nothing: a thread of its own would cost a short command a
  /// tenth of its time. Throws an error of any layer that stops it.
  @MainActor func execute(_ session: Session) async throws -> Outcome
}

extension LibreCommand {
  static var isCancellable: Bool { false }
  var flags: [Setting: String] { [:] }
  var inputPath: String? { nil }
  var json: Bool { false }
  var errorFormat: OutputFormat? { json ? .json : nil }

  @MainActor func run() async throws {
    let status = try await Self.isCancellable ? SignalHandler.cancelling { try await exitStatus() } : exitStatus()
    if status != 0 { throw ExitCode(status) }
  }

  @MainActor private func exitStatus() async throws -> Int32 {
    do {
      return try await execute(Session(global, flags: flags)) as? Int32 ?? 0
    } catch {
      guard let error = LibreError(wrapping: error) else { throw error }
      Session.report(error, input: inputPath)
      Session.write(error, path: inputPath, as: errorFormat)
      return error.exitStatus
    }
  }
}

/// A command that takes `--store`.
protocol CommandWithStore: LibreCommand {
  var store: StoreOptions { get }
}

extension CommandWithStore {
  var flags: [Setting: String] { store.flags }
}
