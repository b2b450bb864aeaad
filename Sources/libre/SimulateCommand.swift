// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import DumpFormats
import LibreKit
import SensorSimulator

struct SimulateCommand: LibreCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Make the dump of a simulated sensor.",
    discussion: """
      The same scenario and seed give the same dump everywhere. No person's data is in it.

      Examples:
        libre simulate --list
        libre simulate --scenario active --seed 7 --out dump.hex
      """)

  @Option(
    help: ArgumentHelp("What the sensor is going through, see --list.", valueName: "name"),
    completion: .list(Scenario.all.map(\.name)))
  var scenario = "active"

  @Option(help: ArgumentHelp("Another number, another sensor.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("Where to write; - is standard output.", valueName: "file"), completion: .file())
  var out = "-"

  @Option(
    help: ArgumentHelp(
      "One of \(DumpEncoder.names). Default: what the file's name ends in says, else hex.", valueName: "name"),
    completion: .dumpWriters)
  var format: String?

  @Flag(help: "List the scenarios.")
  var list = false

  @OptionGroup var force: ForceOption
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if Scenario.named(scenario) == nil {
      throw ValidationError("there is no scenario \(scenario). Try: libre simulate --list")
    }
    if let format, DumpEncoder.writer(named: format) == nil {
      throw ValidationError("--format \(format) is no format that can be written. Try one of \(DumpEncoder.names)")
    }
  }

  func execute(_ session: Session) throws {
    if list {
      return try session.write(list: Scenario.all.map { ($0.name, $0.summary) })
    }
    guard let scenario = Scenario.named(scenario) else { preconditionFailure("validated before") }
    let image = scenario.image(seed: seed)
    let writer = format.flatMap(DumpEncoder.writer(named:)) ?? DumpEncoder.writer(for: out)
    let notes = [
      "Simulated by \(Program.tool): libre simulate --scenario \(scenario.name) --seed \(seed)", scenario.summary,
    ]
    let bytes = try DumpEncoder.file(of: image, as: writer, notes: notes)
    if out == "-" {
      try session.write(bytes)
    } else {
      try force.checkReplacement(of: out, byDump: bytes)
      try Files.write(bytes, to: out)
    }
  }
}
