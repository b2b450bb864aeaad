// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import HostSystem
import LibreKit
import SampleStore

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
