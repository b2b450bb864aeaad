// SPDX-License-Identifier: Apache-2.0

/// Something about a reading that its user should know. The samples that stand are good all the same.
public enum ReadingProblem: Hashable, Sendable {
  /// Samples come from a body whose checksum does not hold.
  case salvaged
  /// The ring indices are missing: the history was placed by the age, and there is no trend.
  case indicesMissing
  /// The minute ticked during the read; the stored age was one more than the samples'.
  case bodyTorn(storedAge: Int)
  /// State and the table index of the calibration are not known.
  case headerNotTrusted(RegionVerdict)
  /// Calibration, region and maximum life are not known.
  case footerNotTrusted(RegionVerdict)
  /// The same, but another scan of this sensor had a good footer, which stands in for it.
  case footerRemembered(RegionVerdict)
  /// A history value is not what the sensor makes of its trend values: one of them is garbled.
  case historyUnlikeTrend(minute: SensorMinute, stored: Int, expected: Int)
  /// The times of this computer's clock and of the sensor's do not fit together: seconds by which this scan is later than
  /// the first one says.
  case clockDisagrees(seconds: Int)
  /// Only the modification time of a file tells when the sensor was started.
  case startIsProvisional
  /// A sample was stored with other counts before; both are kept.
  case conflicts(count: Int)
  /// The sensor was started again since it was last read.
  case newWear(number: Int)
  /// The state byte has a value that nobody has described.
  case unknownState(UInt8)
  /// The user's own calibration was wanted, and there is none of this sensor.
  case userCalibrationMissing
  /// The factory calibration is present but has no solution.
  case calibrationImpossible(CalibrationFault)
  /// The counts are there, but how this product's become concentrations is not publicly known: no sample has a value.
  case concentrationWithheld
  /// The sensor has made more history records than were read, as where a reader cannot ask for its last blocks.
  case historyIncomplete(records: Int, of: Int)
  /// A model that needs neighbours was asked for, and minutes of the trend that are good lack some.
  case trendLacksNeighbours
  /// A model adds something for a young sensor of which nobody knows exactly when it ends.
  case youngSensorOffset(knownFrom: SensorMinute)
  /// The history cannot be dated, so it is left out.
  case historyUndated
  /// The sensor has ended and its age stands still: times are the latest possible.
  case ageFrozen
  /// A Proxmark3 client wrote other bytes over the start of the memory.
  case overwrittenByProxmark
  /// The memory was encrypted and gave up its key itself. What the key says of the UID and, with `x` for the digits that
  /// nothing tells, of the patch info is derived, not read.
  case keyRecovered(uid: SensorUID, patchInfo: String)
  /// The reader could not ask for the patch info, so the family is what UID and memory tell.
  case familyWithoutPatchInfo
}

/// Why factory parameters give no number.
public enum CalibrationFault: String, Hashable, Sendable, CaseIterable {
  /// i2 is 0: it points before the first row of the table.
  case i2IsZero = "i2 is 0"
  /// i3 equals i4: the slope would divide by zero.
  case i3EqualsI4 = "i3 equals i4"
}
