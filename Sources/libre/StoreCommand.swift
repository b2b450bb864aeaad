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
    abstract: "Look after the file in which samples are remembered.",
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
    abstract: "Take over what another store has.",
    discussion: """
      It is a union: the same sample on two machines is one sample, and the other file is not changed. A merge is one of \
      libre imports, and can be taken back there.

      Examples:
        libre store merge laptop.sqlite
        libre store merge /mnt/backup/history.sqlite --dry-run
      """)

  @Argument(help: ArgumentHelp("The other store.", valueName: "file"), completion: .file())
  var other: String

  @Flag(help: "Say what would be taken over and take nothing.")
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
      // Nothing of it is stored, and nothing is noted of it.
      _ = try? mine.endImport(formats: [], timeZone: nil, counts: StoredImport.Counts())
      throw error
    }
    let isKept = try mine.endImport(formats: [StoredImport.mergeFormat], timeZone: nil, counts: receipt.counts)
    try session.write(
      "\(receipt.sensors) new sensors, \(receipt.scans) scans, \(receipt.samples) samples, \(receipt.filled) completed, \(receipt.imported) imported values, \(receipt.fingerSticks) finger-sticks\(dryRun ? " would be taken over" : "")\n"
    )
    if let number, isKept { session.remark(import: number) }
    if receipt.conflicts > 0 {
      Session.tell(
        "\(receipt.conflicts) samples have other counts there; both are kept", resolution: "libre sensor show")
    }
    if receipt.maximumDisagreementSeconds > 0 {
      Session.tell(
        "the other store dates a sensor up to \(receipt.maximumDisagreementSeconds) s differently; this store's times stay"
      )
    }
  }

  /// A store that is not there yet is none after a rehearsal either: an empty one in memory stands for it.
  private func mine(_ path: String) throws(LibreError) -> SensorStore {
    let isNone = dryRun && !FileSystem.exists(path)
    return isNone ? try StoreFile.openInMemory() : try StoreFile.openForWriting(path)
  }
}

struct StoreCheckCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check that the store is sound, and that every sample of every scan is in it.",
    discussion: """
      Exit status 74 if something is wrong.

      Examples:
        libre store check
        libre store check --store backup.sqlite
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) throws {
    let path = try session.storePath()
    let result = try StoreFile.openForReading(path).check()
    for fault in result.faults { try session.write("\(fault)\n") }
    guard result.faults.isEmpty else {
      throw LibreError.store(
        .corrupt(path: path, words: CountText.of(result.faults.count, "fault")))
    }
    try session.write("sound: \(result.scans) scans decoded again, all their \(result.samples) samples are there\n")
  }
}

struct StoreVacuumCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "vacuum",
    abstract: "Remove what is too old (retention_days) and give space back to the disk.",
    discussion: """
      Without a limit in retention_days, or --older-than, nothing is removed. What was removed for its age stays removed: \
      libre store merge does not bring it back.

      Examples:
        libre store vacuum
        libre store vacuum --older-than -365d --dry-run
        libre store vacuum --older-than -365d --yes
      """)

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Remove what is older: \(TimeArgument.forms).", valueName: "time"))
  var olderThan: String?

  @Flag(help: "Say what would be removed and remove nothing.")
  var dryRun = false

  @Flag(help: "Remove it; asked for with --older-than, because it cannot be undone.")
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
      return try session.write("nothing is too old; space \(dryRun ? "would be" : "was") given back\n")
    }
    try session.write(
      "\(removed) values of before \(LocalTime.text(limit)) \(dryRun ? "would be removed" : "removed")\n")
  }
}
