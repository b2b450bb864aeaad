// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LibreDocuments
import LibreKit
import SampleSinks
import SampleSync

struct SinkListCommand: CommandWithStore, CommandWithDocument {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the sinks with their status.",
    discussion: """
      Does not use the network. With --supported: the types that can be set up and their keys; for one type also the field \
      map, which shows the field of the receiver for each field of libre.

      Examples:
        libre sink list
        libre sink list --supported nightscout
        libre sink list --json | jq -r '.sinks[] | select(.pending > 0) | .name'
      """)

  @Flag(help: "List the supported types instead.")
  var supported = false

  @Argument(
    help: .value("type", "With --supported, only this type, with its field map."),
    completion: .list(Registry.sinkTypes.map(\.name)))
  var type: String?

  @OptionGroup var document: DocumentOption
  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard let type else { return }
    try refuse(if: !supported, "a type works only with --supported. Try: libre sink list --supported \(type)")
    let types = Registry.sinkTypes.map(\.name)
    try refuse(if: !types.contains(type), "unknown type \(type). Try: \(types.joined(separator: ", "))")
  }

  func execute(_ session: Session) throws {
    if supported, json { return try session.write { SinkTypesJSON.write(type, to: &$0) } }
    if supported { return try session.write(SinksTable.supported(type, style: session.style)) }
    let sinks = try session.sinkViews()
    if json { return try session.write { SinksJSON.write(sinks, to: &$0) } }
    if sinks.isEmpty { return session.remark("no sink is set up", resolution: "libre sink add --help") }
    try session.write(SinksTable(style: session.style).list(sinks))
  }
}

struct SinkShowCommand: CommandWithStore, CommandWithDocument {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show everything about one sink.",
    discussion: """
      Examples:
        libre sink show night
        libre sink show vital --json | jq -r '.sinks[0].told.user_id'
      """)

  @Argument(help: .value("name", "Name of the sink."), completion: .sinks)
  var name: String

  @OptionGroup var document: DocumentOption
  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) throws {
    let sink = try session.sinkView(named: name)
    if json { return try session.write { SinksJSON.write([sink], to: &$0) } }
    try session.write(SinksTable(style: session.style).text(of: sink))
  }
}
