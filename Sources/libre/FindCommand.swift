// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import LibreDocuments
import SensorHistory

struct FindCommand: CommandWithStore, CancellableCommand {
  static let configuration = CommandConfiguration(
    "find", "Find sensor memories in any files.",
    discussion: """
      Searches files, disk images and all that is in folders, such as the backup of a phone: databases and logs of apps, \
      text, base64 and archives. Each memory is proven by its checksums, and listed once, with its place and whether \
      the store has it; nothing is stored. Links are not followed. What cannot be read is named at the end, and the exit \
      status is the highest of all files, or 65 if none is found.

      Examples:
        libre find phone-backup
        libre find --json disk.img | jq -r '.memories[] | select(.known | not) | .places[0].path'
        libre import --found phone-backup
      """)

  @Argument(help: .value("path", "Files and folders, - for standard input."), completion: .file())
  var paths: [String]

  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions
  var errorFormat: OutputFormat? { output.format }

  func validate() throws {
    try refuse(if: output.format == .csv, "find cannot write CSV. Try: --ndjson")
  }

  func execute(_ session: Session) async throws(LibreError) -> Int32 {
    let walk = await MemoryWalk.run(paths, session)
    let listing = try session.listing(of: walk)
    switch output.format {
    case .json: try session.write { FindJSON.write(listing, to: &$0) }
    case .ndjson: for row in listing.rows { try session.writeLine { FindJSON.write(row, to: &$0) } }
    case .table, .csv:
      if !listing.rows.isEmpty { try session.write(FindTable.text(of: listing.rows, style: session.style)) }
    }
    for file in walk.unread { Session.report(file.error, input: file.path) }
    if let failure = walk.failure { Session.report(failure) }
    if walk.isInterrupted { return SignalHandler.exitStatus }
    if session.showsProgress, listing.newCount > 0 {
      session.remark(
        "\(listing.newCount) of \(listing.rows.count) memories are not in the store",
        resolution: "libre import --found PATH")
    }
    return walk.exitStatus
  }
}
