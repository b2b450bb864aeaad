// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import DumpFormats
import LibreKit
import SensorSimulator

struct SimulateCommand: FailingCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Make the dump of a simulated sensor.",
    discussion: """
      The same scenario and seed give the same dump everywhere. No person's data is in it.

      Examples:
        libre simulate --list
        libre simulate --scenario active --seed 7 --out dump.hex
      """)

  @Option(help: ArgumentHelp("What the sensor is going through, see --list.", valueName: "name"))
  var scenario = "active"

  @Option(help: ArgumentHelp("Another number, another sensor.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("Where to write; - is standard output.", valueName: "file"))
  var out = "-"

  @Option(
    help: ArgumentHelp(
      "hex, with UID and time in its head, or raw bytes. Default: raw for *.bin, else hex.", valueName: "name"))
  var format: DumpKind?

  @Flag(help: "List the scenarios.")
  var list = false

  @OptionGroup var global: GlobalOptions

  enum DumpKind: String, ExpressibleByArgument, CaseIterable {
    case hex
    case raw
  }

  func validate() throws {
    if Scenario.named(scenario) == nil {
      throw ValidationError("there is no scenario \(scenario). Try: libre simulate --list")
    }
  }

  func execute() throws(LibreError) {
    let session = try Session(global)
    if list {
      return try session.write(list: Scenario.all.map { ($0.name, $0.summary) })
    }
    guard let scenario = Scenario.named(scenario) else { preconditionFailure("validated before") }
    let image = scenario.image(seed: seed)
    let bytes =
      switch format ?? (out.hasSuffix(".bin") ? .raw : .hex) {
      case .raw: image.bytes
      case .hex:
        Array(
          HexDump.text(
            of: image,
            notes: [
              "Simulated by \(Version.tool): libre simulate --scenario \(scenario.name) --seed \(seed)",
              scenario.summary,
            ]
          ).utf8)
      }
    if out == "-" { try session.write(bytes) } else { try FileBytes.write(bytes, to: out) }
  }
}
