// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import DumpFormats
import HostSystem
import LibreDocuments
import LibreKit
import TextFormats

struct SimulateCommand: LibreCommand {
  static let configuration = CommandConfiguration(
    "simulate", "Create the dump of a simulated sensor, or its scans over several days.",
    discussion: """
      The same scenario and seed give the same dump everywhere. It contains no person's data.

      --days creates the scans of an invented person with diabetes, one file each, to try a store, reports, sinks and a \
      server. The same seed is the same person: a later run continues with the same sensors. Meals and sleep follow the \
      clock of --time-zone, without summer time.

      Examples:
        libre simulate --list
        libre simulate --scenario active --seed 7 --out dump.hex
        libre simulate --days 14 --out-dir scans
      """)

  @Option(
    help: .value("name", "Situation of the sensor, see --list. Default: active."),
    completion: .list(Scenario.all.map(\.name)))
  var scenario: String?

  @Option(help: .value("number", "Seed of the simulation: each number gives another sensor."))
  var seed: UInt64 = 1

  @Option(help: .value("file", "Output file, - for standard output."), completion: .file())
  var out = "-"

  @Option(
    help: .value("name", "Output format, one of \(DumpEncoder.names). Default: from the file's extension, else hex."),
    completion: .dumpWriters)
  var format: String?

  @Option(help: .value("number", "Number of days to create scans for, 1 to \(Self.maximumDays), in --out-dir."))
  var days: Int?

  @Option(help: .value("folder", "With --days, the folder for the scans; it is created."), completion: .directory)
  var outDir: String?

  @Option(
    help: .value(
      "number",
      "With --days, scans per day, \(SimulatedPerson.scansPerDay.lowerBound) to \(SimulatedPerson.scansPerDay.upperBound); fewer than 4 leave gaps in the history."
    ))
  var scansPerDay = 6

  @Option(
    parsing: .unconditional,
    help: .value("time", "With --days, the time of the last scan: \(TimeArgument.forms). Default: the last full hour."))
  var until: String?

  @Option(parsing: .unconditional, help: .value("time", "With --days, the start of the first day; instead of --until."))
  var from: String?

  @Flag(help: "List the scenarios.")
  var list = false

  @Flag(help: "With --list, write one JSON document.")
  var json = false

  @OptionGroup var force: ForceOption
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    try refuse(if: json && !list, "--json works only with --list. Try: libre simulate --list --json")
    if let scenario, Scenario.named(scenario) == nil {
      throw ValidationError("unknown scenario \(scenario). Try: libre simulate --list")
    }
    if let format, DumpEncoder.writer(named: format) == nil {
      throw ValidationError("cannot write the format \(format) of --format. Try one of \(DumpEncoder.names)")
    }
    guard let days else {
      return try refuse(
        if: outDir != nil || until != nil || from != nil || scansPerDay != 6,
        "--out-dir, --scans-per-day, --until and --from work only with --days. Try: --days 14")
    }
    try refuse(if: outDir == nil, "--days needs a folder. Try: --days \(days) --out-dir scans")
    try check(days, of: "--days", allowed: "1 to \(Self.maximumDays)", (1...Self.maximumDays).contains)
    try check(scansPerDay, of: "--scans-per-day", allowed: "1 to 48", SimulatedPerson.scansPerDay.contains)
    try refuse(
      if: scenario != nil || out != "-" || list,
      "--days does not work with --scenario, --out and --list. Try: --days \(days) --out-dir scans")
    try refuse(if: until != nil && from != nil, "--from and --until exclude each other with --days. Try one of them.")
    if let format, DumpEncoder.writer(named: format)?.holds.contains(.readAt) == false {
      throw ValidationError("the format \(format) cannot hold the time of a scan. Try: hex or json")
    }
  }

  func execute(_ session: Session) throws {
    if json { return try session.write { ScenariosJSON.write(Scenario.all, to: &$0) } }
    if list { return try session.write(list: Scenario.all.map { ($0.name, $0.summary) }) }
    if let days, let outDir { return try writeScans(of: days, to: outDir, session) }
    guard let scenario = Scenario.named(scenario ?? "active") else { preconditionFailure("validated before") }
    let image = scenario.image(seed: seed)
    let writer = format.flatMap(DumpEncoder.writer(named:)) ?? DumpEncoder.writer(for: out)
    let notes = [
      "Simulated by \(Program.tool): libre simulate --scenario \(scenario.name) --seed \(seed)", scenario.summary,
    ]
    let bytes = try DumpEncoder.file(of: image, as: writer, notes: notes)
    try force.write(dump: bytes, to: out, isPrivate: false, session)
  }

  private static let maximumDays = 3_660

  /// Writes one file per scan; nothing if a file would be replaced by a different one.
  private func writeScans(of days: Int, to directory: String, _ session: Session) throws {
    let now = LocalTime.now
    var to = Instant(secondsSince1970: now.secondsSince1970 / 3_600 * 3_600)
    if let until { to = try TimeArgument.moment(until, of: "--until", now: now, isPast: true) }
    if let from {
      to = try TimeArgument.moment(from, of: "--from", now: now).adding(days: days)
      if to > now {
        throw LibreError.configuration(
          .badOption(name: "--from", value: from, allowed: "a time \(CountText.of(days, "day")) before now or earlier"))
      }
    }
    let from = to.adding(days: -days)
    // All runs use one UTC offset, so that a sensor started in summer continues in winter.
    let offset = LocalTime.offsetSeconds(at: .firstSensor) ?? 0
    let person = SimulatedPerson(seed: seed, offsetSeconds: offset)
    let scans = person.scans(from: from, to: to, perDay: scansPerDay)
    let writer = format.flatMap(DumpEncoder.writer(named:)) ?? DumpEncoder.writer(for: "")
    let notes = ["Simulated by \(Program.tool): libre simulate --days, --seed \(seed)"]
    let files = try scans.map { scan in
      // `2024-05-02T081500Z` sorts by time and is valid on every file system.
      let name = (scan.readAt?.rfc3339 ?? "").replacing(":", with: "")
      let bytes = try DumpEncoder.file(of: scan, as: writer, notes: notes)
      return (path: "\(directory)/\(name).\(writer.fileExtension ?? "dump")", bytes: bytes)
    }
    for file in files { try force.checkReplacement(of: file.path, byDump: file.bytes) }
    for file in files { try Files.writePrivate(file.bytes, to: file.path, keepsMode: true) }
    let sensors = Set(scans.compactMap(\.uid)).count
    session.remark(
      "wrote \(CountText.of(scans.count, "scan")) of \(CountText.of(sensors, "sensor")) to \(directory), from \(LocalTime.minuteText(from)) to \(LocalTime.minuteText(to))",
      resolution: "libre import --recursive \(directory) --store simulated.sqlite")
  }
}
