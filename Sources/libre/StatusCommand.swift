// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HostSystem
import LibreDocuments
import LibreKit
import NFCTransport
import SampleSync

struct StatusCommand: CommandWithStore, CommandWithDocument {
  static let isCancellable = true
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show readers, sensor, store and sinks at a glance.",
    discussion: """
      Does not use the network or a reader; --probe lists the readers too. In JSON each status has a number, as in Sahha's \
      API: \(Availability.allCases.map { "\($0.rawValue) \($0.code)" }.joined(separator: ", ")).

      Examples:
        libre status
        libre status --json | jq '.sinks[] | {name, status_code, pending}'
      """)

  @Flag(help: "List the connected readers too.")
  var probe = false

  @OptionGroup var document: DocumentOption
  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) async throws(LibreError) -> Int32 {
    let readers = probe ? await ReaderSurvey(asking: Registry.readerBackends) : nil
    let status = try StatusReport(
      storePath: session.storePath(), file: session.file, environment: session.environment,
      ignoring: session.ignoredSources, now: LocalTime.now, readers: readers)
    if json {
      try session.write { StatusJSON.write(status, to: &$0) }
    } else {
      try session.write(StatusText(style: session.style, unit: session.configuration.unit).text(of: status))
    }
    return status.storeError?.exitStatus ?? 0
  }
}
