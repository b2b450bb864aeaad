// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
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
