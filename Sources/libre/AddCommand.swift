// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import HostSystem
import LibreDocuments
import LibreKit
import SampleStore
import TextFormats

struct AddCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Note a finger-stick, or take a single value out of the store.",
    discussion: """
      A value is in the unit that is set (--unit), or in the one that is written with it. Adding the same value of the same \
      moment again changes nothing. --remove takes a finger-stick back, and by its id any value: one that was imported, \
      or a sample of a sensor, which no later scan of the same memory brings back.

      Examples:
        libre add 5.6mmol --at 2024-05-02T12:20
        libre add 104 --note "before lunch"
        libre add 5.6mmol --at 2024-05-02T12:20 --remove
        libre add --remove 5958d31d-0fd5-58cd-8a24-88c1cc9c939b
      """)

  @Argument(help: ArgumentHelp("Blood glucose: 104, 104mg, 5.6mmol; or an id with --remove.", valueName: "glucose"))
  var glucose: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("When it was measured: \(TimeArgument.forms) (default: now).", valueName: "time"))
  var at: String?

  @Option(help: ArgumentHelp("Anything to remember with it.", valueName: "text"))
  var note: String?

  @Flag(help: "Take out the finger-stick of this value and --at, or whatever has this id in libre history --json.")
  var remove = false

  @Flag(help: "With --remove, say what would be removed and remove nothing.")
  var dryRun = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard let glucose else {
      throw ValidationError("add takes a value, or --remove with an id. Try: libre add 104")
    }
    let id = SampleID(text: glucose)
    if !remove, dryRun { throw ValidationError("--dry-run is for --remove. Try: libre add \(glucose)") }
    if !remove, id != nil { throw ValidationError("\(glucose) is an id. Try: libre add --remove \(glucose)") }
    if remove, id == nil, at == nil {
      throw ValidationError(
        "when was it measured? Try: --at TIME, or the id that libre history --finger-sticks --json has")
    }
  }

  func execute(_ session: Session) throws {
    let unit = session.configuration.unit
    // Before the store, which a mistake in the command line must not make.
    let time = try TimeArgument.moment(at ?? "now", of: "--at", now: LocalTime.now, isPast: true)
    let text = glucose ?? ""
    let id = SampleID(text: text)
    let concentration = id == nil ? try GlucoseArgument.concentration(text, unit: unit) : nil
    if remove {
      let store = try StoreFile.openExisting(try session.storePath())
      let entry = try id.map(store.entry) ?? store.fingerStick(of: concentration, at: time, unit: unit)
      if !dryRun { try store.remove(entry) }
      try session.write("\(dryRun ? "would remove" : "removed") \(EntryText.text(of: entry, unit: unit))\n")
      return try session.remarkOnRemoval(from: store)
    }
    guard let concentration else { return }
    let store = try StoreFile.openForWriting(try session.storePath())
    let stick = FingerStick(time: time, concentration: concentration, note: note)
    let (outcome, added) = try store.note(stick)
    let known = outcome == .known ? " (known already)" : ""
    try session.write("\(unit.shown(concentration)) \(unit.rawValue) at \(LocalTime.text(time)), id \(added)\(known)\n")
  }
}

extension SensorStore {
  /// What has this id. Throws `noSuchEntry`.
  fileprivate func entry(_ id: SampleID) throws(StoreError) -> HistoryEntry {
    var query = HistoryQuery()
    query.rings = Set(SampleRing.allCases)
    query.includesFingerSticks = true
    var found: HistoryEntry?
    try forEachEntry(query) { entry in
      if entry.id == id { found = entry }
      return found == nil
    }
    guard let found else { throw .noSuchEntry("value with the id \(id)") }
    return found
  }

  /// The finger-stick that shows this value at a time, to the minute if that has no seconds.
  ///
  /// Throws `noSuchEntry`, or `configuration(badOption)` where several do.
  fileprivate func fingerStick(
    of concentration: GlucoseConcentration?, at time: Instant, unit: GlucoseUnit
  ) throws -> HistoryEntry {
    var query = HistoryQuery()
    query.rings = []
    query.includesFingerSticks = true
    query.from = time
    query.to = time.secondsSince1970 % 60 == 0 ? Instant(secondsSince1970: time.secondsSince1970 + 59) : time
    var found: [HistoryEntry] = []
    try forEachEntry(query) { entry in
      let isIt = GlucoseUnit.allCases.contains { entry.concentration.map($0.shown) == concentration.map($0.shown) }
      if isIt { found.append(entry) }
      return true
    }
    let value = "\(concentration.map(unit.shown) ?? "") \(unit.rawValue) at \(LocalTime.text(time))"
    guard let first = found.first else { throw LibreError.store(.noSuchEntry("finger-stick of \(value)")) }
    guard found.count == 1 else {
      let ids = found.compactMap { $0.id?.description }.joined(separator: ", ")
      throw LibreError.configuration(.badOption(name: "--remove", value: value, allowed: "one of the ids \(ids)"))
    }
    return first
  }

  fileprivate func remove(_ entry: HistoryEntry) throws(StoreError) {
    if case .sensor(let stored) = entry {
      _ = try remove(stored)
    } else if let id = entry.id {
      _ = try remove(id)
    }
  }
}
