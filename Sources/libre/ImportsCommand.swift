// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import HostSystem
import LibreDocuments
import SensorHistory
import TextFormats

struct ImportsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "imports", "List past imports, and undo them.",
    discussion: """
      Each run of libre import, and of libre store merge, is an import with its own number.

      Examples:
        libre imports
        libre imports remove 3 --dry-run
      """,
    subcommands: [List.self, Remove.self], defaultSubcommand: List.self)

  struct List: CommandWithStore {
    static let configuration = CommandConfiguration(
      abstract: "List past imports, the latest first.",
      discussion: """
        Examples:
          libre imports list
          libre imports list --json | jq '.imports[] | {id, files, added}'
        """)

    @OptionGroup var output: OutputOptions
    var errorFormat: OutputFormat? { output.format }
    @OptionGroup var store: StoreOptions

    func execute(_ session: Session) throws {
      let listing = try ImportsListing(of: StoreFile.openForReading(session.storePath()))
      switch output.format {
      case .json: try session.write { ImportsJSON.write(listing, to: &$0) }
      case .ndjson: for stored in listing.imports { try session.writeLine { ImportsJSON.write(stored, to: &$0) } }
      case .csv: try session.write(data: ImportsTable.csv(of: listing.imports))
      case .table:
        if !listing.imports.isEmpty {
          try session.write(ImportsTable.text(of: listing.imports, style: session.style))
        } else if listing.remark == nil {
          session.remark("nothing was imported into the store", resolution: "libre import FILE")
        }
      }
      if let remark = listing.remark { session.remark(remark) }
    }
  }

  struct Remove: CommandWithStore, CancellableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Undo imports: remove the values and scans that came only from them.",
      discussion: """
        Values that also came from another import, one of your scans or libre add stay. Programs that follow the history \
        (libre history --after) get the ids of removed values. Importing the same file again brings its values back; \
        merging another store does not. A start time that an import set for a sensor stays (see libre sensor reanchor).

        Examples:
          libre imports remove 3 --dry-run
          libre imports remove 3 4 --yes
        """)

    @Argument(help: .value("id", "Numbers of imports, see libre imports."))
    var ids: [Int]

    @Flag(help: "Confirm the removal.")
    var yes = false

    @Flag(help: "Show what would be removed, and remove nothing.")
    var dryRun = false

    @OptionGroup var store: StoreOptions

    func validate() throws {
      try refuse(if: yes == dryRun, "remove deletes values from the store. Try: --dry-run first, then --yes")
    }

    func execute(_ session: Session) async throws {
      let store = try Session.openExisting(try session.storePath())
      let imports = try store.imports()
      let known = imports.map(\.id)
      if let unknown = ids.first(where: { !known.contains($0) }) {
        throw LibreError.store(.noSuchImport(unknown, known: known.reversed()))
      }
      let removed = try store.removeImports(ids, isRehearsal: dryRun)
      for (id, content) in removed {
        let stored = imports.first { $0.id == id }
        let name = stored.map { "\(ImportsTable.files(of: $0)), \(LocalTime.minuteText($0.at))" } ?? ""
        try session.write(
          "import \(id) (\(name)): \(ImportsTable.text(of: content)) \(dryRun ? "would be removed" : "removed")\n")
        if content.kept > 0 {
          try session.write("  kept: \(CountText.of(content.kept, "value")) that another import brought too\n")
        } else if content.values == 0, content.scans == 0 {
          try session.write("  kept: its values were in the store before, or also came from a scan or libre add\n")
        }
      }
      let notice = RemovalNotice(of: removed.map(\.content))
      if dryRun || removed.contains(where: { $0.content.values > 0 }) {
        try await session.takeBack(notice, from: store, isPlanned: dryRun)
      }
    }
  }
}
