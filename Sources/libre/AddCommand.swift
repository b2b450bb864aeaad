// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import HostSystem
import LibreDocuments
import SensorHistory
import TextFormats

struct AddCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    "add", "Add a finger-stick value, or remove a single value from the store.",
    discussion: """
      A value without a unit is in that of --unit. Adding the same value of the same time again changes nothing but its note, \
      if one is given. --remove deletes a finger-stick, or any value by its id: an imported one, or a sample of a sensor, which a later scan does not \
      bring back.

      Examples:
        libre add 5.6mmol --at 2024-05-02T12:20
        libre add 104 --note "before lunch"
        libre add 5.6mmol --at 2024-05-02T12:20 --remove
        libre add --remove 5958d31d-0fd5-58cd-8a24-88c1cc9c939b
      """)

  @Argument(help: .value("glucose", "Blood glucose: 104, 104mg, 5.6mmol; or an id with --remove."))
  var glucose: String?

  @Option(
    parsing: .unconditional, help: .value("time", "When it was measured: \(TimeArgument.timesOfDay) (default: now)."))
  var at: String?

  @Option(help: .value("text", "Text to keep with the value."))
  var note: String?

  @Flag(
    help:
      "Remove the finger-stick with this value and time (--at), or the value with this id (see libre history --json).")
  var remove = false

  @Flag(help: "With --remove, show what would be removed, and remove nothing.")
  var dryRun = false

  @OptionGroup var store: StoreOptions

  func validate() throws {
    guard let glucose else { throw ValidationError("the value is missing. Try: libre add 104") }
    let id = SampleID(text: glucose)
    try refuse(if: !remove && dryRun, "--dry-run works only with --remove. Try: libre add \(glucose)")
    try refuse(if: !remove && id != nil, "\(glucose) is an id. Try: libre add --remove \(glucose)")
    try refuse(
      if: remove && id == nil && at == nil,
      "--remove needs the time of the value. Try: --at TIME, or the id from libre history --finger-sticks --json")
  }

  func execute(_ session: Session) async throws {
    let unit = session.configuration.unit
    // Parsed before the store is opened: a wrong argument must not create a store.
    let time = try TimeArgument.moment(at ?? "now", of: "--at", now: LocalTime.now, isPast: true, isTimeOfDay: true)
    let text = glucose ?? ""
    let id = SampleID(text: text)
    let concentration = id == nil ? try GlucoseArgument.concentration(text, unit: unit, isNew: !remove) : nil
    if remove {
      let store = try Session.openExisting(try session.storePath())
      let entry = try id.map(store.entry) ?? fingerStick(of: concentration, at: time, unit, in: store)
      if !dryRun { try store.remove(entry) }
      let text = EntryText.text(of: entry, unit: unit)
      try session.write("\(dryRun ? "would remove" : "removed") \(text)\n")
      return try await session.takeBack(RemovalNotice(ofValues: text), from: store, isPlanned: dryRun)
    }
    guard let concentration else { return }
    let store = try Session.openForWriting(try session.storePath())
    let stick = FingerStick(time: time, concentration: concentration, note: note)
    let (outcome, added) = try store.note(stick)
    let known =
      switch outcome {
      case .known: " (known already)"
      case .filled: " (known already, now with this note)"
      case .added, .conflict, .leftOut, .impossible: ""
      }
    try session.write("\(unit.shown(concentration)) \(unit.rawValue) at \(LocalTime.text(time)), id \(added)\(known)\n")
  }

  private func fingerStick(
    of concentration: GlucoseConcentration?, at time: Instant, _ unit: GlucoseUnit, in store: SensorStore
  ) throws -> HistoryEntry {
    let found = try store.fingerSticks(showing: concentration, at: time)
    let value = "\(concentration.map(unit.shown) ?? "") \(unit.rawValue) at \(LocalTime.text(time))"
    guard let first = found.first else { throw LibreError.store(.noSuchEntry("finger-stick of \(value)")) }
    guard found.count == 1 else {
      let ids = found.compactMap { $0.id?.description }.joined(separator: ", ")
      throw LibreError.configuration(.badOption(name: "--remove", value: value, allowed: "one of the ids \(ids)"))
    }
    return first
  }
}

struct CalibrateCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    "calibrate", "Calibrate a sensor with your finger-sticks.",
    discussion: """
      Fits a slope and an offset, which correct the factory's values, to the finger-sticks (libre add) taken while the sensor \
      was worn, by least squares and within limits. Stored values do not change: --calibration user shows the corrected \
      ones. One finger-stick gives an offset only, and so do several of nearly the same value.

      Examples:
        libre calibrate --dry-run
        libre calibrate 0M00009DHCR && libre history --calibration user
      """)

  @OptionGroup var choice: WearOptions

  @Flag(help: "Remove the calibration.")
  var remove = false

  @Flag(help: "Keep the correction even if it had to be limited.")
  var force = false

  @Flag(help: "Show the correction, and keep nothing.")
  var dryRun = false

  @OptionGroup var store: StoreOptions

  func execute(_ session: Session) throws {
    let store = try Session.openExisting(try session.storePath())
    let (sensor, number) = try store.chosenWear(of: choice.sensor, wear: choice.wear)
    if remove {
      if !dryRun { try store.setUserCalibration(nil, sensor: sensor.id, wear: number) }
      return try session.write("values are the factory's\n")
    }
    let points = try store.calibrationPoints(of: sensor, wear: number)
    guard let fit = UserCalibrationFit(points) else { throw LibreError.store(.nothingToCalibrateWith) }
    let unit = session.configuration.unit
    for point in points {
      let source = point.source.map { " (\(SafeText.line($0)))" } ?? ""
      try session.write(
        "\(LocalTime.text(point.time))  sensor \(unit.shown(point.factory)), blood \(unit.shown(point.blood)) \(unit.rawValue)\(source)\n"
      )
    }
    let offset = GlucoseConcentration(milligramsPerDecilitre: fit.intercept)
    let result = "slope \(DecimalText.fixed(fit.slope, places: 3)), offset \(unit.shown(offset)) \(unit.rawValue)"
    try session.write("\(session.style.bold(result))\(dryRun ? " (not kept)" : "")\n")
    for point in fit.outliers {
      Session.notify(
        "the finger-stick of \(LocalTime.text(point.time)) is far from the others: blood \(unit.shown(point.blood)), sensor \(unit.shown(point.factory)) \(unit.rawValue)",
        resolution: "libre add --remove ID if it is wrong; libre history --finger-sticks --json lists the ids")
    }
    if fit.isClamped, !force {
      throw LibreError.store(
        .correctionTooLarge(
          slope: DecimalText.fixed(fit.wanted.slope, places: 2),
          offset: DecimalText.fixed(fit.wanted.intercept, places: 0)))
    }
    if !dryRun {
      let calibration = UserCalibration(
        slope: fit.slope, intercept: fit.intercept, points: points, madeAt: LocalTime.now)
      try store.setUserCalibration(calibration, sensor: sensor.id, wear: number)
    }
  }
}
