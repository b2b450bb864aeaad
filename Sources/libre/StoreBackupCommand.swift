// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import HostSystem
import LibreKit
import SampleStore
import TextFormats

struct StoreBackupCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the store into a file, even while another libre writes to it.",
    discussion: """
      The copy is a consistent snapshot, is checked, and appears in full or not at all. Only its owner can read it. It \
      replaces an unchanged older backup of the same store; any other file only with --force. libre history --store FILE \
      shows its samples; libre store merge FILE restores them.

      Examples:
        libre store backup /mnt/backup/history.sqlite
        libre store backup "libre-$(date +%F).sqlite"
      """)

  @Argument(help: ArgumentHelp("Path of the copy.", valueName: "file"), completion: .file())
  var file: String

  @OptionGroup var force: ForceOption
  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if file == "-" { throw ValidationError("a backup cannot go to standard output. Try: the name of a file") }
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
    let draft = try libre(AtomicFile(file, isPrivate: true, isDatabase: true))
    guard let name = draft.name else { preconditionFailure("a database has a name from the start") }
    try copy(store, to: name)
    let counts = try check(name, of: path)
    // The log of an older copy would be applied to the new one.
    for suffix in ["-wal", "-shm", "-journal"] where FileSystem.exists(file + suffix) {
      try libre(FileSystem.remove(file + suffix))
    }
    try libre(draft.finish())
    // Only users of a Bluetooth cuff have any.
    let pressures = counts.bloodPressures > 0 ? [(counts.bloodPressures, "blood pressure")] : []
    let contents =
      ([
        (counts.sensors, "sensor"), (counts.scans, "scan"), (counts.samples, "sample"),
        (counts.imported, "imported value"), (counts.fingerSticks, "finger-stick"),
      ] + pressures).map(CountText.of).joined(separator: ", ")
    try session.write("\(file): \(contents); \(counts.bytes) bytes, checked\n")
  }

  /// True for an empty file and an older copy of the store; false if the file cannot be read.
  private func isReplaceable(by store: SensorStore) -> Bool {
    if (try? FileReplacement.check(file)) != nil { return true }
    guard let old = try? StoreFile.openForReading(file) else { return false }
    return (try? old.isOlderCopy(of: store)) ?? false
  }

  private func copy(_ store: SensorStore, to name: String) throws(LibreError) {
    do throws(StoreError) {
      try store.copy(to: name)
    } catch {
      if case .diskFull = error { throw .output(.noSpace(path: file)) }
      throw .store(error)
    }
  }

  /// Checks the copy, closes it and returns its counts.
  ///
  /// - Throws: `corrupt`.
  private func check(_ copy: String, of path: String) throws -> SensorStore.Counts {
    let copy = try StoreFile.openForReading(copy)
    let faults = try copy.faults()
    if let fault = faults.first { throw StoreError.corrupt(path: path, words: fault) }
    return try copy.counts()
  }
}
