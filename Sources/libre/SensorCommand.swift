// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import HostSystem
import LibreDocuments
import LibreKit
import SampleStore

struct SensorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sensor",
    abstract: "Look at one sensor, date it anew, or forget it.",
    discussion: """
      Examples:
        libre sensor show
        libre sensor reanchor --dry-run
      """,
    subcommands: [Show.self, SensorReanchorCommand.self, SensorForgetCommand.self])

  struct Show: CommandWithStore {
    static let configuration = CommandConfiguration(
      abstract: "Show all that the store knows of a sensor.",
      discussion: """
        With its start and how narrowly all scans together put it, what the clock of the computer has to say, and \
        samples that were read with other counts later.

        Examples:
          libre sensor show
          libre sensor show 0M00009DHCR --json
        """)

    @Argument(
      help: ArgumentHelp("The sensor, by UID, serial or fingerprint; else the one in use.", valueName: "sensor"),
      completion: .sensors)
    var sensor: String?

    @Flag(help: "Write one JSON document.")
    var json = false

    @OptionGroup var store: StoreOptions
    @OptionGroup var global: GlobalOptions

    func execute(_ session: Session) throws {
      let store = try StoreFile.openForShowing(try session.storePath())
      let sensor = try store.chosenWear(of: sensor, wear: nil).sensor
      let now = LocalTime.now
      if json {
        try session.write { SensorsJSON.write([sensor], now: now, to: &$0) }
      } else {
        let calibration = try store.newestCalibration(of: sensor)
        try session.write(SensorsTable(style: session.style, now: now).text(of: sensor, calibration: calibration))
      }
    }
  }
}

struct SensorReanchorCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "reanchor",
    abstract: "Date a sensor anew.",
    discussion: """
      All times of a sensor are counted from one start, which stays once a time has been shown. Where that start was wrong, \
      because a clock was, this sets it: to --at, or to where all scans together put it. Every time of the sensor changes.

      Examples:
        libre sensor reanchor --dry-run
        libre sensor reanchor 0M00009DHCR --at 2024-05-01T08:30:00Z
      """)

  @Argument(
    help: ArgumentHelp("The sensor, by UID or serial; else the one in use.", valueName: "sensor"), completion: .sensors)
  var sensor: String?

  @Option(help: ArgumentHelp("Which wear of a sensor that was started again.", valueName: "number"))
  var wear: Int?

  @Option(parsing: .unconditional, help: ArgumentHelp("When it was started: \(TimeArgument.forms).", valueName: "time"))
  var at: String?

  @Flag(help: "Show what would change and change nothing.")
  var dryRun = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) throws {
    var moment: Instant?
    if let at { moment = try TimeArgument.moment(at, of: "--at", now: LocalTime.now, isPast: true) }
    let store = try StoreFile.openExisting(try session.storePath())
    let (sensor, number) = try store.chosenWear(of: sensor, wear: wear)
    let (before, after) = try store.reanchor(sensor, wear: number, at: moment, isRehearsal: dryRun)
    let old = before.activatedAt.map(LocalTime.text) ?? "not known"
    guard let activatedAt = after.firmStart else { throw LibreError.store(.neverDated) }
    if activatedAt == before.firmStart { return try session.write("started \(old); nothing to change\n") }
    try session.write("started \(old); \(dryRun ? "would be" : "now") \(LocalTime.text(activatedAt))\n")
  }
}

struct SensorForgetCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Remove a sensor with all its scans and samples from the store.",
    discussion: """
      It cannot be undone. Programs that follow the history (libre history --after) are told of the removal, and sinks that can \
      take it back (libre sink list --supported).

      Examples:
        libre sensor forget 0M00009DHCR --dry-run
        libre sensor forget E007A0000025905E --yes
      """)

  @Argument(help: ArgumentHelp("The sensor, by UID, serial or fingerprint.", valueName: "sensor"), completion: .sensors)
  var sensor: String

  @Flag(help: "Do it.")
  var yes = false

  @Flag(help: "Say what would be removed.")
  var dryRun = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard yes != dryRun else { throw ValidationError("forget cannot be undone. Try: --dry-run first, then --yes") }
  }

  func execute(_ session: Session) throws {
    let store = try StoreFile.openExisting(try session.storePath())
    let (sensor, _) = try store.chosenWear(of: sensor, wear: nil)
    let scans = sensor.wears.map(\.scans).reduce(0, +)
    let samples = sensor.wears.map { $0.historySamples + $0.trendSamples }.reduce(0, +)
    let name = sensor.identity.serial ?? sensor.identity.uid?.description ?? "the sensor without UID"
    if yes { try store.forget(sensor) }
    try session.write("\(name): \(scans) scans and \(samples) samples \(yes ? "removed" : "would be removed")\n")
    try session.remarkOnRemoval(from: store)
  }
}
