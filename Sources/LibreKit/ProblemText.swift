// SPDX-License-Identifier: Apache-2.0
import DumpFormats
import TextFormats

extension ReadingProblem {
  package var code: String {
    switch self {
    case .salvaged: "salvaged"
    case .indicesMissing: "indices_missing"
    case .bodyTorn: "body_torn"
    case .headerNotTrusted: "header_not_trusted"
    case .footerNotTrusted: "footer_not_trusted"
    case .footerRemembered: "footer_remembered"
    case .historyUnlikeTrend: "history_unlike_trend"
    case .clockDisagrees: "clock_disagrees"
    case .startMoved: "start_moved"
    case .startInDoubt(.modificationTime): "start_is_provisional"
    case .startInDoubt(.clockNotSet): "clock_not_set"
    case .startInDoubt(.disputed): "start_disputed"
    case .conflicts: "conflicts"
    case .newWear: "new_wear"
    case .unknownState: "unknown_state"
    case .userCalibrationMissing: "user_calibration_missing"
    case .calibrationImpossible: "calibration_impossible"
    case .concentrationWithheld: "concentration_withheld"
    case .historyIncomplete: "history_incomplete"
    case .currentFromNeighbours: "current_from_neighbours"
    case .trendLacksNeighbours: "trend_lacks_neighbours"
    case .youngSensorOffset: "young_sensor_offset"
    case .historyUndated: "history_undated"
    case .ageFrozen: "age_frozen"
    case .overwrittenByProxmark: "overwritten_by_proxmark"
    case .recordsOnly: "records_only"
    case .keyRecovered: "key_recovered"
    case .familyWithoutPatchInfo: "family_without_patch_info"
    case .anotherPersonsSensor: "another_persons_sensor"
    }
  }

  package var message: String {
    switch self {
    case .salvaged:
      "the body's checksum is wrong; the samples below come from it all the same and may be wrong"
    case .indicesMissing:
      "the ring indices are missing: the history is dated by the sensor's age, and its times may be 15 minutes early; the trend cannot be dated and is left out"
    case .bodyTorn(let age):
      "a new minute began during the read: the checksum is valid with the age \(age - 1) instead of \(age); no sample is lost"
    case .headerNotTrusted(let verdict):
      "the header \(verdict.text): state and end-of-life log are unknown, and glucose values cannot be computed without the calibration in it"
    case .footerNotTrusted(let verdict):
      "the footer \(verdict.text): calibration, region and maximum life are unknown, so factory values cannot be computed"
    case .footerRemembered(let verdict):
      "the footer \(verdict.text); calibration, region and maximum life come from another scan of this sensor"
    case .historyUnlikeTrend(let minute, let stored, let expected):
      "the history value of minute \(minute) has \(stored) counts, but the trend around it gives \(expected): one of them is damaged"
    case .clockDisagrees(let seconds):
      "by this scan the sensor was started \(DurationText.of(seconds: abs(seconds))) \(seconds < 0 ? "earlier" : "later") than by the scan that dates it: a clock is or was wrong; the times still follow that scan"
    case .startMoved(let seconds):
      "the sensor was started \(DurationText.of(seconds: abs(seconds))) \(seconds < 0 ? "earlier" : "later") than its scans gave so far: all its times were corrected, and go out again to receivers"
    case .startInDoubt(.clockNotSet):
      "this computer's clock cannot be right: it shows a time before this version of libre was written, or before readings in the store; times that only this read gives are wrong, and their values are not sent"
    case .startInDoubt(.disputed):
      "the reads of this sensor disagree by more than a day about its start, so a clock was wrong: nothing of it is sent until most of them agree"
    case .startInDoubt(.modificationTime):
      "the times come from the modification time of a file, which copying or unpacking may have changed: they may be wrong"
    case .conflicts(let count):
      "\(count) \(count == 1 ? "sample was" : "samples were") stored with different counts (raw values) before; both are kept"
    case .newWear(let number): "the sensor was started again: this start is wear \(number)"
    case .userCalibrationMissing: "this sensor was not calibrated with finger-sticks, so the values are the factory's"
    case .unknownState(let raw): "the state byte has the unknown value \(raw)"
    case .calibrationImpossible(let fault):
      "the factory calibration has no solution (\(fault.rawValue)), so glucose values cannot be computed"
    case .concentrationWithheld:
      "a part of this product's calibration is not publicly documented, so glucose values cannot be computed from its counts"
    case .historyIncomplete(let records, let count):
      "the memory contains \(records) of the sensor's \(count) history records"
    case .currentFromNeighbours(let minute):
      "a reader's radio field disturbed minute \(minute.value), the newest: its value comes from the minutes before it, as in the official app"
    case .trendLacksNeighbours:
      "the official reader computes a value from sixteen consecutive minutes, so the other trend samples have no value, although they are good"
    case .youngSensorOffset(let minute):
      "the official reader adds an offset for a young sensor; its exact end, between the fifth hour and minute \(minute), is unknown, so these values may be off by some mg/dL"
    case .historyUndated:
      "the minute when the history stopped is unknown, so its samples cannot be dated and are left out"
    case .ageFrozen:
      "the sensor has shut down and its clock has stopped: the times assume that it stopped just before the read, and are the latest possible"
    case .overwrittenByProxmark: DumpError.overwrittenByProxmark.message
    case .recordsOnly: "\(DumpError.recordsOnly.message), so the counts have no glucose values"
    case .keyRecovered(let uid, let patchInfo):
      "the memory was encrypted, and its key was recovered from the memory itself: UID \(uid) and patch info \(patchInfo) are derived from the key, not read"
    case .familyWithoutPatchInfo:
      "the patch info could not be read, so the product was determined from UID and memory"
    case .anotherPersonsSensor: "the reading was neither stored nor sent: the sensor may be another person's"
    }
  }
}

extension RegionVerdict {
  /// The verdict of the checksum, as the end of a sentence that begins with the region.
  package var text: String {
    switch self {
    case .ok: "is good"
    case .torn: "is good except for the minute, which changed during the read"
    case .bad(let stored, let computed):
      "has the checksum \(HexText.string(of: stored)) stored but \(HexText.string(of: computed)) computed"
    case .absent(let blocks): "lacks \(BlockText.list(blocks))"
    }
  }
}

extension SensorReading {
  /// Returns the reading with the problem that it was not stored, because it is unknown whose the sensor is.
  package var unclaimed: SensorReading {
    var reading = self
    reading.problems.append(.anotherPersonsSensor)
    return reading
  }
}
