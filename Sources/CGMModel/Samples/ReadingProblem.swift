// SPDX-License-Identifier: Apache-2.0

/// A fact about a reading that its user should know. The remaining samples are good nevertheless.
public enum ReadingProblem: Hashable, Sendable {
  /// The samples come from a body with a wrong checksum.
  case salvaged
  /// The ring indices are missing: the history was placed by the age, and there is no trend.
  case indicesMissing
  /// The minute ticked during the read; the stored age is one more than that of the samples.
  case bodyTorn(storedAge: Int)
  /// State and the table index of the calibration are not known.
  case headerNotTrusted(RegionVerdict)
  /// Calibration, region and maximum life are not known.
  case footerNotTrusted(RegionVerdict)
  /// The footer is not trusted, but another scan of this sensor had a good one, which is used instead.
  case footerRemembered(RegionVerdict)
  /// A history value does not match the trend values that the sensor computes it from: one of them is corrupt.
  case historyUnlikeTrend(minute: SensorMinute, stored: Int, expected: Int)
  /// This scan and the one that dates the sensor disagree about the time by this many seconds (positive if this one is
  /// later): one of the clocks is wrong.
  case clockDisagrees(seconds: Int)
  /// The start of the sensor, and with it all its times, moved with this scan by this many seconds: the scan agrees with
  /// another one, or is younger than all that were known.
  case startMoved(seconds: Int)
  /// The start of the sensor, and with it all its times, may be wrong.
  case startInDoubt(StartDoubt)
  /// A sample was stored with other counts before; both are kept.
  case conflicts(count: Int)
  /// The sensor was started again since it was last read.
  case newWear(number: Int)
  /// The state byte has an undocumented value.
  case unknownState(UInt8)
  /// The user's own calibration was requested, but this sensor does not have one.
  case userCalibrationMissing
  /// The factory calibration is present but has no solution.
  case calibrationImpossible(CalibrationFault)
  /// No sample has a value: the formula from counts to concentrations of this product is not publicly known.
  case concentrationWithheld
  /// The sensor has stored more history records than were read, because the reader cannot read its last blocks, for
  /// example.
  case historyIncomplete(records: Int, of: Int)
  /// A reader's field disturbed the newest minute, and the model's current value of it comes from the minutes before.
  case currentFromNeighbours(minute: SensorMinute)
  /// The requested model needs neighbouring minutes, and some usable trend minutes lack them.
  case trendLacksNeighbours
  /// The model adds an offset for a new sensor, and the exact time at which that offset ends is not known.
  case youngSensorOffset(knownFrom: SensorMinute)
  /// The history is left out, because its time cannot be determined.
  case historyUndated
  /// The sensor has ended and its age no longer increases: the times are the latest possible.
  case ageFrozen
  /// A Proxmark3 client wrote other bytes over the start of the memory.
  case overwrittenByProxmark
  /// An app kept only the records of the scan, without the memory.
  case recordsOnly
  /// The memory was encrypted, and its key was computed from the memory itself. The UID and the patch info, with `x`
  /// for unknown digits, are derived from the key, not read.
  case keyRecovered(uid: SensorUID, patchInfo: String)
  /// The family was determined from UID and memory, because the reader could not read the patch info.
  case familyWithoutPatchInfo
  /// The reading was neither stored nor sent, because it is unknown whose the sensor is.
  case anotherPersonsSensor
}

/// The reasons why factory parameters do not give a concentration.
public enum CalibrationFault: String, Hashable, Sendable, CaseIterable {
  /// i2 is 0 and points before the first row of the table.
  case i2IsZero = "i2 is 0"
  /// i3 equals i4, so that the slope would divide by zero.
  case i3EqualsI4 = "i3 equals i4"
}
