// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import HostSystem
import SensorHistory
import TextFormats

struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "store", "Check, back up, merge or clean up the store, the file that keeps samples.",
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
    "merge", "Merge another store into this one.",
    discussion: """
      The result is the union: a sample in both stores is kept once, and the other file does not change. libre imports \
      lists the merge and can undo it.

      Examples:
        libre store merge laptop.sqlite
        libre store merge /mnt/backup/history.sqlite --dry-run
      """)

  @Argument(help: .value("file", "Path of the other store."), completion: .file())
  var other: String

  @Flag(help: "Show what would be merged, and merge nothing.")
  var dryRun = false

  @OptionGroup var store: StoreOptions

  var inputPath: String? { FileSystem.exists(other) ? nil : other }

  func execute(_ session: Session) throws {
    guard FileSystem.exists(other) else { throw LibreError.input(.notFound) }
    let theirs = try StoreFile.openForReading(other)
    let path = try session.storePath()
    guard !FileSystem.isSame(path, other) else {
      throw LibreError.configuration(
        .badOption(name: "the other store", value: other, allowed: "a file other than the store itself"))
    }
    // A missing store is not created by --dry-run.
    let isMissing = dryRun && !FileSystem.exists(path)
    let mine = isMissing ? try StoreFile.openInMemory() : try Session.openForWriting(path)
    let number = dryRun ? nil : try mine.beginImport(of: [other], at: LocalTime.now)
    let receipt: MergeReceipt
    do {
      receipt = try mine.merge(theirs, isRehearsal: dryRun)
    } catch {
      // Nothing was merged, so the import is not kept in the list either.
      _ = try? mine.endImport(formats: [], timeZone: nil)
      throw error
    }
    let isKept = try mine.endImport(formats: [StoredImport.mergeFormat], timeZone: nil, counts: receipt.counts)
    try session.write("\(Self.text(of: receipt))\(dryRun ? " would be merged" : "")\n")
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
}

struct StoreBackupCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    "backup", "Copy the store into a file, even while another libre writes to it.",
    discussion: """
      The copy is a consistent snapshot, is checked, and appears in full or not at all. Only its owner can read it. It \
      replaces an unchanged older backup of the same store; any other file only with --force. libre history --store FILE \
      shows its samples; libre store merge FILE restores them.

      Examples:
        libre store backup /mnt/backup/history.sqlite
        libre store backup "libre-$(date +%F).sqlite"
      """)

  @Argument(help: .value("file", "Path of the copy."), completion: .file())
  var file: String

  @OptionGroup var force: ForceOption
  @OptionGroup var store: StoreOptions

  func validate() throws {
    try refuse(if: file == "-", "a backup cannot go to standard output. Try: the name of a file")
  }

  func execute(_ session: Session) throws {
    let path = try session.storePath()
    let store = try StoreFile.openForReading(path)
    guard !FileSystem.isSame(path, file) else {
      throw LibreError.configuration(
        .badOption(name: "the backup", value: file, allowed: "a file other than the store itself"))
    }
    if !force.force, FileSystem.exists(file), !isReplaceable(by: store) {
      throw LibreError.output(
        .wouldLose(path: file, loss: "its contents, which are not an older backup of this store,"))
    }
    let counts = try StoreFile.replace(file, by: store) { copy in
      try copy.requireIntact(as: path)
      return try copy.counts()
    }
    var contents = [
      CountText.of(counts.sensors, "sensor"), CountText.of(counts.scans, "scan"),
      CountText.of(counts.samples, "sample"), CountText.of(counts.imported, "imported value"),
      CountText.of(counts.fingerSticks, "finger-stick"),
    ]
    // Only users of a Bluetooth cuff have any.
    if counts.bloodPressures > 0 { contents.append(CountText.of(counts.bloodPressures, "blood pressure")) }
    try session.write("\(file): \(contents.joined(separator: ", ")); \(counts.bytes) bytes, checked\n")
  }

  /// True for an empty file and an older copy of the store; false if the file cannot be read.
  private func isReplaceable(by store: SensorStore) -> Bool {
    if (try? FileReplacement.check(file)) != nil { return true }
    guard let old = try? StoreFile.openForReading(file) else { return false }
    return (try? old.isOlderCopy(of: store)) ?? false
  }
}

struct StoreCheckCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    "check", "Check that the store is intact, and that it contains every sample of every scan.",
    discussion: """
      Each row has a checksum, and each memory is decoded again and compared with its samples. A row that was damaged, \
      or changed by another program, is named. Exit status 74 if a check fails.

      With --repair a damaged store is replaced by a new one with all rows that can still be read; each scan is decoded \
      again, and its samples are put in. What is gone is listed by sensor and day. The damaged file is kept.

      Examples:
        libre store check
        libre store check --store backup.sqlite
        libre store check --repair
      """)

  @Flag(help: "Replace a damaged store by what can still be read of it.")
  var repair = false

  @OptionGroup var store: StoreOptions

  func execute(_ session: Session) throws {
    let path = try session.storePath()
    let result: SensorStore.CheckResult
    do throws(LibreError) {
      result = try libre(StoreFile.openForReading(path).check())
    } catch {
      guard repair, Self.isOfDamage(error) else { throw error }
      return try repair(path, session)
    }
    if repair, !result.faults.isEmpty { return try repair(path, session) }
    // A fault quotes what the file has in a row's key.
    for fault in result.faults { try session.write("\(SafeText.line(fault))\n") }
    guard result.faults.isEmpty else {
      throw LibreError.store(.corrupt(path: path, words: CountText.of(result.faults.count, "fault")))
    }
    try session.write("intact: \(result.scans) scans decoded again, all their \(result.samples) samples found\n")
  }

  private static func isOfDamage(_ error: LibreError) -> Bool {
    switch error.cause as? StoreError {
    case .corrupt, .notAStore, .foreignSchema, .database: true
    default: false
    }
  }

  private func repair(_ path: String, _ session: Session) throws {
    let repair = try StoreFile.repair(path, at: LocalTime.now)
    let back = CountText.of(repair.samplesDecodedAgain, "sample")
    try session.write("repaired: \(CountText.of(repair.scans, "scan")); \(back) put in again from their memories\n")
    for lost in repair.lost {
      let sensor = lost.sensor?.label ?? "a sensor whose row is lost"
      let day = lost.day.map { " on \($0.rfc3339.prefix(10))" } ?? ""
      try session.write("gone: \(sensor): \(CountText.of(lost.count, "sample"))\(day)\n")
    }
    if repair.lostScans > 0 { try session.write("gone: the memories of \(CountText.of(repair.lostScans, "scan"))\n") }
    Session.notify(
      "the damaged file is kept as \(repair.damagedPath)",
      resolution: "libre store check; then copy the store to another disk: this one may be failing")
  }
}

struct StoreVacuumCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    "vacuum", "Remove old values (see retention_days) and shrink the store.",
    discussion: """
      Without a limit in retention_days or --older-than, nothing is removed. Values removed for their age stay removed: \
      libre store merge does not bring them back.

      Examples:
        libre store vacuum
        libre store vacuum --older-than -365d --dry-run
        libre store vacuum --older-than -365d --yes
      """)

  @Option(parsing: .unconditional, help: .value("time", "Remove values older than this: \(TimeArgument.forms)."))
  var olderThan: String?

  @Flag(help: "Show what would be removed, and remove nothing.")
  var dryRun = false

  @Flag(help: "Confirm the removal by --older-than, which cannot be undone.")
  var yes = false

  @OptionGroup var store: StoreOptions

  func validate() throws {
    try refuse(
      if: olderThan != nil && !dryRun && !yes,
      "--older-than removes samples, which cannot be undone. Try: --dry-run first, then --yes")
  }

  func execute(_ session: Session) throws {
    let days = Int(session.configuration[.retentionDays].text) ?? 0
    var limit = days > 0 ? LocalTime.now.adding(days: -days) : nil
    if let olderThan {
      limit = try TimeArgument.moment(olderThan, of: "--older-than", now: LocalTime.now, isPast: true)
    }
    let store = try Session.openExisting(try session.storePath())
    let removed = try store.vacuum(before: limit, isRehearsal: dryRun)
    guard let limit else {
      return try session.write("no values removed; unused space \(dryRun ? "would be" : "was") freed\n")
    }
    try session.write(
      "\(removed) values from before \(LocalTime.text(limit)) \(dryRun ? "would be removed" : "removed")\n")
  }
}
