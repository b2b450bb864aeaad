// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BluetoothTransport
import HostSystem
import LibreDocuments
import LibreKit
import NFCTransport

struct DoctorCommand: LibreCommand {
  static let isCancellable = true
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check whether this machine can read a sensor, and what is missing.",
    discussion: """
      Looks at the PC/SC service, drivers, readers, permissions, the configuration's mode and the time zone, and asks a Proxmark3 or a Flipper \
      Zero whether it can send frames; changes nothing. Exit status 0 if a sensor can be read. Bluetooth is checked as \
      well, for meters.

      Examples:
        libre doctor
        libre doctor --json | jq -r '.checks[].remedy // empty'
      """)

  @Flag(help: "Write one JSON document.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) async throws(LibreError) -> Int32 {
    let diagnosis = await Session.diagnosis()
    let bluetooth = await BluetoothReport.take(environment: Session.environment)
    if json {
      try session.write { DoctorJSON.write(diagnosis, bluetooth: bluetooth, to: &$0) }
    } else {
      try session.write(
        DoctorText.text(diagnosis, style: session.style) + "\n" + DoctorText.text(bluetooth, style: session.style))
    }
    return diagnosis.exitStatus
  }
}

extension Session {
  /// Checks whether this machine can read a sensor, without disturbing a reader.
  static func diagnosis() async -> Diagnosis {
    let ways = await ReaderSurvey(asking: Registry.readerBackends).ways
    let pcsc = ways.first { $0.scheme == "pcsc" }?.result ?? .failure(.notInThisBuild(scheme: "pcsc"))
    let asked = await AskedReader.all(of: Registry.readerBackends)
    var facts = SystemFacts(root: "/", environment: environment)
    facts.exposedConfiguration = ConfigurationFile.path(environment: environment).flatMap {
      FileSystem.isExposed($0) ? $0 : nil
    }
    return Doctor(facts: facts, pcsc: pcsc, asked: asked).diagnosis
  }
}
