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
    abstract: "Calibrate a sensor with your finger-sticks.",
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
  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) throws {
    let store = try StoreFile.openExisting(try session.storePath())
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
