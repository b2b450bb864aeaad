// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import LibreDocuments
import LibreKit

/// A command that reports the error that stopped it, and exits with that error's status.
package protocol LibreCommand: AsyncParsableCommand, Sendable {
  /// The result: `Void`, or an exit status (`Int32`) for a command that reports errors itself and continues.
  associatedtype Outcome = Void

  var global: GlobalOptions { get }
  /// Settings from the command's own options.
  var flags: [Setting: String] { get }
  /// The input file that errors name; nil for none.
  var inputPath: String? { get }
  var json: Bool { get }
  /// The format in which an error is also written to standard output, for programs that read JSON; nil for none.
  var errorFormat: OutputFormat? { get }

  /// Does the work on the main thread until it has to wait: another thread would slow a short command by a tenth.
  @MainActor func execute(_ session: Session) async throws -> Outcome
}

extension LibreCommand {
  package var flags: [Setting: String] { [:] }
  package var inputPath: String? { nil }
  package var json: Bool { false }
  package var errorFormat: OutputFormat? { json ? .json : nil }

  @MainActor package func run() async throws {
    let isCancellable = self is any CancellableCommand
    let status = try await isCancellable ? SignalHandler.cancelling { try await exitStatus() } : exitStatus()
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

/// A command that waits for hardware or a network: Ctrl-C cancels it, so that it closes what it has opened.
package protocol CancellableCommand: LibreCommand {}

package protocol CommandWithStore: LibreCommand {
  var store: StoreOptions { get }
}

extension CommandWithStore {
  package var global: GlobalOptions { store.global }
  package var flags: [Setting: String] { store.flags }
}

package protocol CommandWithDocument: LibreCommand {
  var document: DocumentOption { get }
}

extension CommandWithDocument {
  package var json: Bool { document.json }
}

package struct DocumentOption: ParsableArguments {
  package init() {}

  @Flag(help: "Write one JSON document.")
  package var json = false
}

extension CommandConfiguration {
  package init(
    _ name: String, _ abstract: String, discussion: String, subcommands: [any ParsableCommand.Type] = [],
    defaultSubcommand: (any ParsableCommand.Type)? = nil
  ) {
    self.init(
      commandName: name, abstract: abstract, discussion: discussion, subcommands: subcommands,
      defaultSubcommand: defaultSubcommand)
  }
}

extension ArgumentHelp {
  package static func value(_ name: String, _ help: String) -> ArgumentHelp { ArgumentHelp(help, valueName: name) }
}

extension ParsableArguments {
  /// Refuses options that do not go together. The message ends with what to try instead.
  package func refuse(if isWrong: Bool, _ message: @autoclosure () -> String) throws {
    if isWrong { throw ValidationError(message()) }
  }

  /// Refuses an invalid value of an option; nil is an option that is not given.
  package func check<Value>(
    _ value: Value?, of option: String, allowed: @autoclosure () -> String, _ isValid: (Value) -> Bool
  ) throws {
    guard let value, !isValid(value) else { return }
    throw ValidationError("invalid value \(value) for \(option). Try: \(allowed())")
  }

  package func check(seconds: Double?, of option: String, maximum: Int = 86_400) throws {
    try check(seconds, of: option, allowed: "a number of seconds up to \(maximum)") { $0 > 0 && $0 <= Double(maximum) }
  }
}
