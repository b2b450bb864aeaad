// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HostSystem
import LibreDocuments
import LibreKit
import SampleStore

struct SensorsCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "sensors",
    abstract: "List the sensors in the store.",
    discussion: """
      The state of a sensor is computed from its start time and the clock: one that was active when it was last read may \
      have ended since.

      Examples:
        libre sensors
        libre sensors --json | jq -r '.sensors[].serial'
      """)

  @Flag(help: "Write one JSON document.")
  var json = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) throws {
    let sensors = try StoreFile.openForReading(try session.storePath()).sensors()
    let now = LocalTime.now
    if json {
      try session.write { SensorsJSON.write(sensors, now: now, to: &$0) }
    } else if sensors.isEmpty {
      session.remark("the store contains no sensor", resolution: "libre read")
    } else {
      try session.write(SensorsTable(style: session.style, now: now).list(sensors))
    }
  }
}
