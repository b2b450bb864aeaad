// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HostSystem
import LibreDocuments
import LibreKit
import NFCTransport

struct ReadersCommand: LibreCommand {
  static let isCancellable = true
  static let configuration = CommandConfiguration(
    commandName: "readers",
    abstract: "List connected readers and what they can do.",
    discussion: """
      Examples:
        libre readers
        libre readers --supported
        libre readers --json | jq -r '.readers[].address'
        libre readers --watch
      """)

  @Flag(help: "List known reader models instead, also those that cannot read sensors.")
  var supported = false

  @Flag(help: "Keep running, and write a line for each reader that comes or goes, and for each sensor on one.")
  var watch = false

  @Flag(help: "Write one JSON document; with --watch, one per line.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if supported && json { throw ValidationError("--supported cannot write JSON. Try: libre readers --json") }
    if supported && watch { throw ValidationError("--supported and --watch exclude each other. Try: one of them") }
  }

  func execute(_ session: Session) async throws(LibreError) -> Int32 {
    if supported {
      try session.write(KnownReadersTable.text(style: session.style))
      return 0
    }
    if watch {
      try await follow(session)
      return SignalHandler.exitStatus
    }
    let document = await ReaderSurvey(asking: Registry.readerBackends)
    if json {
      try session.write { ReadersJSON.write(document, to: &$0) }
    } else {
      try session.write(ReadersTable(style: session.style).text(of: document))
    }
    return document.exitStatus
  }

  /// Writes what changes until it is interrupted, each way to readers for itself.
  private nonisolated func follow(_ session: Session) async throws(LibreError) {
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for backend in Registry.readerBackends {
          group.addTask {
            var roll = ReaderRoll()
            var reported: TransportError?
            for await list in backend.changes() {
              if case .failure(let error) = list, error != reported { session.report(.waits(error)) }
              reported = if case .failure(let error) = list { error } else { nil }
              for change in roll.changes(to: (try? list.get()) ?? []) { try write(change, session) }
            }
          }
        }
        try await group.waitForAll()
      }
    } catch {
      throw LibreError(wrapping: error) ?? .transport(.cancelled)
    }
  }

  private nonisolated func write(_ change: ReaderChange, _ session: Session) throws(LibreError) {
    let time = LocalTime.now
    if json {
      try session.writeLine { ReaderChangeDocument.write(change, at: time, to: &$0) }
    } else {
      try session.write(ReaderChangeDocument.line(for: change, at: time))
    }
  }
}
