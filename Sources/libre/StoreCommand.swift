// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import HostSystem
import LibreKit
import SampleStore
import TextFormats

struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Check, back up, merge or clean up the store, the file that keeps samples.",
    discussion: """
      Examples:
        libre store check
        libre store backup /mnt/backup/history.sqlite
      """,
    subcommands: [
      StoreMergeCommand.self, StoreBackupCommand.self, StoreCheckCommand.self, StoreVacuumCommand.self,
    ])
}

struct StoreMergeCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge another store into this one.",
    discussion: """
      The result is the union: a sample in both stores is kept once, and the other file does not change. libre imports \
      lists the merge and can undo it.

      Examples:
        libre store merge laptop.sqlite
        libre store merge /mnt/backup/history.sqlite --dry-run
      """)

  @Argument(help: ArgumentHelp("Path of the other store.", valueName: "file"), completion: .file())
  var other: String

  @Flag(help: "Show what would be merged, and merge nothing.")
  var dryRun = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  var inputPath: String? { FileSystem.exists(other) ? nil : other }

  func execute(_ session: Session) throws {
    guard FileSystem.exists(other) else { throw LibreError.input(.notFound) }
    let theirs = try StoreFile.openForReading(other)
    let path = try session.storePath()
    guard !FileSystem.isSame(path, other) else {
      throw LibreError.configuration(
        .badOption(name: "the other store", value: other, allowed: "a file other than the store itself"))
    }
    let mine = try mine(path)
    let number = dryRun ? nil : try mine.beginImport(of: [other], at: LocalTime.now)
    let receipt: MergeReceipt
    do {
      receipt = try mine.merge(theirs, isRehearsal: dryRun)
    } catch {
      // Nothing was merged, so the import is not kept in the list either.
      _ = try? mine.endImport(formats: [], timeZone: nil, counts: StoredImport.Counts())
      throw error
    }
    let isKept = try mine.endImport(formats: [StoredImport.mergeFormat], timeZone: nil, counts: receipt.counts)
    try session.write(
      "\(Self.text(of: receipt))\(dryRun ? " would be merged" : "")\n"
    )
    if let number, isKept { session.remark(import: number) }
    if receipt.impossible > 0 {
      Session.notify(
        "left out \(CountText.of(receipt.impossible, "value")) of the other store that cannot have been measured",
        resolution: "libre store check --store \(other)")
    }
    if receipt.conflicts > 0 {
      Session.notify(
        "\(receipt.conflicts) samples have different counts (raw values) there; both are kept",
        resolution: "libre sensor show")
    }
    if receipt.maximumMoveSeconds > 0 {
      Session.notify(
        "scans of the other store date a sensor better than this store's, by up to \(DurationText.of(seconds: receipt.maximumMoveSeconds)): its times \(dryRun ? "would be" : "were") corrected"
      )
    }
    if receipt.maximumDisagreementSeconds > 0 {
      Session.notify(
        "the other store dates a sensor up to \(DurationText.of(seconds: receipt.maximumDisagreementSeconds)) differently from the start that all scans give"
      )
    }
  }

  private static func text(of receipt: MergeReceipt) -> String {
    var counts = [
      CountText.of(receipt.sensors, "new sensor"), CountText.of(receipt.scans, "scan"),
      CountText.of(receipt.samples, "sample"), "\(receipt.filled) completed",
      CountText.of(receipt.imported, "imported value"), CountText.of(receipt.fingerSticks, "finger-stick"),
    ]
    if receipt.bloodPressures > 0 { counts.append(CountText.of(receipt.bloodPressures, "blood pressure")) }
    return counts.joined(separator: ", ")
  }

  /// Opens the store; with `--dry-run` a missing store is replaced by an empty one in memory and not created.
  private func mine(_ path: String) throws(LibreError) -> SensorStore {
    let isMissing = dryRun && !FileSystem.exists(path)
    return isMissing ? try StoreFile.openInMemory() : try StoreFile.openForWriting(path)
  }
}

struct StoreCheckCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check that the store is intact, and that it contains every sample of every scan.",
    discussion: """
      Each row has a checksum, and each memory is decoded again and compared with its samples. A row that was damaged, \
      or changed by another program, is named. Exit status 74 if a check fails.

      Examples:
        libre store check
        libre store check --store backup.sqlite
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) throws {
    let path = try session.storePath()
    let result = try StoreFile.openForReading(path).check()
    // A fault quotes what the file has in a row's key.
    for fault in result.faults { try session.write("\(SafeText.line(fault))\n") }
    guard result.faults.isEmpty else {
      throw LibreError.store(
        .corrupt(path: path, words: CountText.of(result.faults.count, "fault")))
    }
    try session.write("intact: \(result.scans) scans decoded again, all their \(result.samples) samples found\n")
  }
}

struct StoreVacuumCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "vacuum",
    abstract: "Remove old values (see retention_days) and shrink the store.",
    discussion: """
      Without a limit in retention_days or --older-than, nothing is removed. Values removed for their age stay removed: \
      libre store merge does not bring them back.

      Examples:
        libre store vacuum
        libre store vacuum --older-than -365d --dry-run
        libre store vacuum --older-than -365d --yes
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Remove values older than this: \(TimeArgument.forms).", valueName: "time"))
  var olderThan: String?

  @Flag(help: "Show what would be removed, and remove nothing.")
  var dryRun = false

  @Flag(help: "Confirm the removal by --older-than, which cannot be undone.")
  var yes = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if olderThan != nil, !dryRun, !yes {
      throw ValidationError("--older-than removes samples, which cannot be undone. Try: --dry-run first, then --yes")
    }
  }

  func execute(_ session: Session) throws {
    let days = Int(session.configuration[.retentionDays].text) ?? 0
    var limit = days > 0 ? LocalTime.now.adding(days: -days) : nil
    if let olderThan {
      limit = try TimeArgument.moment(olderThan, of: "--older-than", now: LocalTime.now, isPast: true)
    }
    let store = try StoreFile.openExisting(try session.storePath())
    let removed = try store.vacuum(before: limit, isRehearsal: dryRun)
    guard let limit else {
      return try session.write("no values removed; unused space \(dryRun ? "would be" : "was") freed\n")
    }
    try session.write(
      "\(removed) values from before \(LocalTime.text(limit)) \(dryRun ? "would be removed" : "removed")\n")
  }
}
