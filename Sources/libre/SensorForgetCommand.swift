// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import LibreKit
import SampleStore

struct SensorForgetCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Remove a sensor with all its scans and samples from the store.",
    discussion: """
      It cannot be undone. Programs that follow the history (libre history --after) are told of the removal.

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
  }
}
