// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import DumpFormats

extension ReadingProblem {
  /// Stable; what a script looks at.
  public var code: String {
    switch self {
    case .salvaged: "salvaged"
    case .indicesMissing: "indices_missing"
    case .bodyTorn: "body_torn"
    case .headerNotTrusted: "header_not_trusted"
    case .footerNotTrusted: "footer_not_trusted"
    case .footerRemembered: "footer_remembered"
    case .historyUnlikeTrend: "history_unlike_trend"
    case .clockDisagrees: "clock_disagrees"
    case .startIsProvisional: "start_is_provisional"
    case .conflicts: "conflicts"
    case .newWear: "new_wear"
    case .unknownState: "unknown_state"
    case .userCalibrationMissing: "user_calibration_missing"
    case .calibrationImpossible: "calibration_impossible"
    case .concentrationWithheld: "concentration_withheld"
    case .historyIncomplete: "history_incomplete"
    case .trendLacksNeighbours: "trend_lacks_neighbours"
    case .youngSensorOffset: "young_sensor_offset"
    case .historyUndated: "history_undated"
    case .ageFrozen: "age_frozen"
    case .overwrittenByProxmark: "overwritten_by_proxmark"
    case .keyRecovered: "key_recovered"
    case .familyWithoutPatchInfo: "family_without_patch_info"
    }
  }

  /// What is so, and why it matters.
  public var message: String {
    switch self {
    case .salvaged:
      "the body's checksum does not hold; the samples below were taken from it all the same and may be wrong"
    case .indicesMissing:
      "the ring indices are missing: the history was placed by the sensor's age, and its times may be 15 minutes early; the trend cannot be placed and is left out"
    case .bodyTorn(let age):
      "the sensor's minute ticked during the read: the checksum holds with the age \(age - 1) instead of \(age); no sample is lost"
    case .headerNotTrusted(let verdict):
      "the header \(verdict.text): state and end-of-life log are unknown, and without its part of the calibration no glucose value can be given"
    case .footerNotTrusted(let verdict):
      "the footer \(verdict.text): calibration, region and maximum life are unknown, so no factory value can be given"
    case .footerRemembered(let verdict):
      "the footer \(verdict.text); calibration, region and maximum life are those of another scan of this sensor"
    case .historyUnlikeTrend(let minute, let stored, let expected):
      "the history value of minute \(minute) has \(stored) counts, but the trend round it makes \(expected): one of them is garbled"
    case .clockDisagrees(let seconds):
      "by this scan the sensor was started \(abs(seconds)) s \(seconds < 0 ? "earlier" : "later") than by the first one: a clock is wrong or was; the times stay those of the first"
    case .startIsProvisional:
      "the times come from the modification time of a file, which copying or unpacking may have changed: they may be wrong"
    case .conflicts(let count):
      "\(count) \(count == 1 ? "sample was" : "samples were") stored with other counts before; both are kept"
    case .newWear(let number): "the sensor was started again: this is its wear \(number)"
    case .userCalibrationMissing: "this sensor was not calibrated with finger-sticks, so the values are the factory's"
    case .unknownState(let raw): "the state byte is \(raw), which nobody has described"
    case .calibrationImpossible(let fault):
      "the factory calibration has no solution (\(fault.rawValue)), so no glucose value can be given"
    case .concentrationWithheld:
      "where this product keeps a part of its calibration is not publicly known, so its counts have no glucose value"
    case .historyIncomplete(let records, let count):
      "\(records) of the \(count) history records that the sensor has made are here"
    case .trendLacksNeighbours:
      "the official reader makes a value of sixteen minutes in a row, so the others of the trend have none, good as they are"
    case .youngSensorOffset(let minute):
      "the official reader adds an offset for a young sensor; exactly when that ends, between the fifth hour and minute \(minute), is not known, so these values may be off by some mg/dL"
    case .historyUndated:
      "it is not known at which minute the history stopped, so its samples cannot be dated and are left out"
    case .ageFrozen:
      "the sensor has shut down and its clock stands still: the times assume that it stopped just before the read, and are the latest possible"
    case .overwrittenByProxmark: ProxmarkDefectText.message
    case .keyRecovered(let uid, let patchInfo):
      "the memory was encrypted, and gave up its key itself: by it the UID is \(uid) and the patch info \(patchInfo), derived and not read"
    case .familyWithoutPatchInfo:
      "the patch info was not to be had, so which product this is was told from UID and memory"
    }
  }

  /// What to do about it.
  public var resolution: String {
    switch self {
    case .salvaged: "read the sensor again; compare with another read before using any value"
    case .indicesMissing: "read the sensor again; do not merge these times with other readings"
    case .bodyTorn: "nothing to do"
    case .headerNotTrusted, .footerNotTrusted: "read the sensor again, all 43 blocks of it"
    case .footerRemembered: "nothing to do"
    case .historyUnlikeTrend: "read the sensor again; libre inspect shows the records"
    case .clockDisagrees:
      "check this computer's clock with timedatectl; if the first scan's was wrong, libre sensor reanchor dates the sensor anew"
    case .startIsProvisional:
      "import a dump of this sensor with --read-at TIME, or libre sensor reanchor --at TIME"
    case .conflicts: "libre sensor show lists them; read the sensor again if they are of this scan"
    case .newWear: "nothing to do"
    case .userCalibrationMissing:
      "note finger-sticks with libre add, then libre calibrate; decode knows of it with --with-store only"
    case .unknownState: "please report this dump, with the UID removed"
    case .calibrationImpossible:
      "read the sensor again; if it stays so, --calibration linear:0.1,0 shows uncorrected values"
    case .concentrationWithheld:
      "use the counts as they are; an official report of the same sensor would tell, please get in touch"
    case .historyIncomplete:
      "read the sensor again for the rest; its blocks above 255 need a reader that sends any command: libre readers --supported"
    case .trendLacksNeighbours: "nothing to do; --calibration factory has a value for each minute"
    case .youngSensorOffset: "nothing to do; --calibration factory adds no offset"
    case .historyUndated: "read the sensor again, all 43 blocks of it"
    case .ageFrozen: "use times of earlier reads of this sensor"
    case .overwrittenByProxmark: ProxmarkDefectText.resolution
    case .keyRecovered: "nothing to do; with --uid UID, as a reader or the phone shows it, samples get their ids"
    case .familyWithoutPatchInfo:
      "nothing to do; a reader that sends any command can ask for it: libre readers --supported"
    }
  }
}

extension RegionVerdict {
  /// What the checksum says, as the end of a sentence that begins with the region.
  public var text: String {
    switch self {
    case .ok: "is good"
    case .torn: "is good but for the minute, which ticked during the read"
    case .bad(let stored, let computed):
      "has the checksum \(HexText.string(of: stored)) stored but \(HexText.string(of: computed)) computed"
    case .absent(let blocks): "lacks \(BlockText.list(blocks))"
    }
  }
}
