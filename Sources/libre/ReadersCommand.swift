// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
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
      """)

  @Flag(help: "List known reader models instead, also those that cannot read sensors.")
  var supported = false

  @Flag(help: "Write one JSON document.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if supported && json { throw ValidationError("--supported cannot write JSON. Try: libre readers --json") }
  }

  func execute(_ session: Session) async throws(LibreError) -> Int32 {
    if supported {
      try session.write(KnownReadersTable.text(style: session.style))
      return 0
    }
    let document = await ReaderSurvey(asking: Registry.readerBackends)
    if json {
      try session.write { ReadersJSON.write(document, to: &$0) }
    } else {
      try session.write(ReadersTable(style: session.style).text(of: document))
    }
    return document.exitStatus
  }
}
