// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import HostSystem
import LibreKit
import Logging
import SensorSimulator

struct ReaderOptions: ParsableArguments {
  @Option(
    help: .value("address", "Where the reader is: \(Registry.readerAddresses.joined(separator: ", "))."),
    completion: .list(
      ["auto", "pcsc", "proxmark", "flipper", "nfc:", "replay:"] + Scenario.all.map { "sim:\($0.name)" }))
  var reader: String?

  @Option(help: .value("file", "Write a transcript, which --reader replay:FILE plays back."), completion: .file())
  var trace: String?

  @OptionGroup var force: ForceOption

  @Flag(help: "Include UIDs in the transcript.")
  var showIdentifiers = false

  @OptionGroup var calibration: CalibrationOption

  var flags: [Setting: String] {
    var flags = calibration.flags
    flags[.reader] = reader
    return flags
  }

  func sensorReader(_ session: Session) throws(LibreError) -> SensorReader {
    var reader = try SensorReader(at: session.configuration[.reader].text)
    reader.calibration = calibration.choice(session)
    if session.logger.logLevel <= .debug { reader.onExchange = { session.log($0) } }
    if let trace {
      try force.checkReplacement(of: trace)
      try libre(FileSystem.begin(trace))
      reader.trace = .init(showsIdentifiers: showIdentifiers) { line in
        do throws(LibreError) {
          try libre(FileSystem.append(Array("\(line)\n".utf8), to: trace))
        } catch {
          // The reading is worth more than its transcript.
          session.log(.error, "cannot write a line of the transcript", ["reason": error.message])
        }
      }
    }
    return reader
  }
}
