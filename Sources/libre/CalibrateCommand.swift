// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import HostSystem
import LibreDocuments
import LibreKit
import SampleStore
import TextFormats

struct CalibrateCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Bring a sensor's values to your finger-sticks.",
    discussion: """
      Makes a slope and an offset over the factory's values from the finger-sticks (libre add) of the time of a sensor, by \
      least squares and within limits. Nothing that is stored changes: the corrected values are shown with \
      --calibration user. One finger-stick makes an offset only, and so do several of nearly the same value.

      Examples:
        libre calibrate --dry-run
        libre calibrate 0M00009DHCR && libre history --calibration user
      """)

  @Argument(
    help: ArgumentHelp("The sensor, by UID or serial; else the one in use.", valueName: "sensor"), completion: .sensors)
  var sensor: String?

  @Option(help: ArgumentHelp("Which wear of a sensor that was started again.", valueName: "number"))
  var wear: Int?

  @Flag(help: "Take the calibration away.")
  var remove = false

  @Flag(help: "Keep a correction that had to be limited.")
  var force = false

  @Flag(help: "Show what it would be and keep nothing.")
  var dryRun = false

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) throws {
    let store = try StoreFile.openExisting(try session.storePath())
    let (sensor, number) = try store.chosenWear(of: sensor, wear: wear)
    if remove {
      if !dryRun { try store.setUserCalibration(nil, sensor: sensor.id, wear: number) }
      return try session.write("the factory's values stand\n")
    }
    let points = try store.calibrationPoints(of: sensor, wear: number)
    guard let fit = UserCalibrationFit(points) else { throw LibreError.store(.nothingToCalibrateWith) }
    let unit = session.configuration.unit
    for point in points {
      try session.write(
        "\(LocalTime.text(point.time))  sensor \(unit.shown(point.factory)), blood \(unit.shown(point.blood)) \(unit.rawValue)\n"
      )
    }
    let offset = GlucoseConcentration(milligramsPerDecilitre: fit.intercept)
    try session.write(
      "\(session.style.bold("slope \(DecimalText.fixed(fit.slope, places: 3)), offset \(unit.shown(offset)) \(unit.rawValue)"))\(dryRun ? " (not kept)" : "")\n"
    )
    for point in fit.outliers {
      Session.tell(
        "the finger-stick of \(LocalTime.text(point.time)) is far from what the others say: blood \(unit.shown(point.blood)), sensor \(unit.shown(point.factory)) \(unit.rawValue)",
        resolution: "if it is wrong, libre add --remove ID; libre history --finger-sticks --json has the ids")
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
