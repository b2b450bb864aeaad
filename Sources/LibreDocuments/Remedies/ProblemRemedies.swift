// SPDX-License-Identifier: Apache-2.0
package import LibreKit

extension ReadingProblem {
  package var resolution: String {
    switch self {
    case .salvaged: "read the sensor again; compare with another read before using any value"
    case .indicesMissing: "read the sensor again; do not merge these times with other readings"
    case .bodyTorn, .footerRemembered, .newWear: "nothing to do"
    case .headerNotTrusted, .footerNotTrusted, .historyUndated: "read the sensor again, all 43 blocks of it"
    case .historyUnlikeTrend: "read the sensor again; libre inspect shows the records"
    case .clockDisagrees:
      "check this computer's clock with timedatectl; if it is right, run libre sensor reanchor"
    case .startMoved:
      "libre sensor show has the start and the scan that gives it; libre sensor reanchor --at TIME sets another"
    case .startInDoubt(.clockNotSet):
      "set the clock with sudo timedatectl set-ntp true and read the sensor again: that read dates all of them"
    case .startInDoubt(.disputed):
      "check this computer's clock with timedatectl and read the sensor again; or run libre sensor reanchor --at TIME"
    case .startInDoubt(.modificationTime):
      "import a dump of this sensor with --read-at TIME, or run libre sensor reanchor --at TIME"
    case .conflicts: "libre sensor show lists them; read the sensor again if they are from this scan"
    case .userCalibrationMissing:
      "add finger-sticks with libre add, then run libre calibrate; libre decode uses it only with --with-store"
    case .unknownState: "please report this dump, with the UID removed"
    case .calibrationImpossible:
      "read the sensor again; if the problem remains, --calibration linear:0.1,0 shows uncorrected values"
    case .concentrationWithheld:
      "use the counts as they are; please report if you have an official report of the same sensor"
    case .historyIncomplete:
      "read the sensor again for the rest; blocks above 255 need a reader that can send any command: libre readers --supported"
    case .currentFromNeighbours:
      "nothing to do; --calibration factory shows the newest minute that was not disturbed"
    case .trendLacksNeighbours: "nothing to do; --calibration factory has a value for each minute"
    case .youngSensorOffset: "nothing to do; --calibration factory adds no offset"
    case .ageFrozen: "use times of earlier reads of this sensor"
    case .overwrittenByProxmark:
      "read the sensor again block by block (hf 15 rdbl or rdmulti) and decode the printed text; --salvage shows the history, dated by the age"
    case .recordsOnly:
      "libre import takes the values that the app computed; --calibration linear:0.1,0 shows uncorrected ones"
    case .keyRecovered: "nothing to do; with --uid UID, as shown by a reader or the phone, samples get their ids"
    case .familyWithoutPatchInfo:
      "nothing to do; a reader that can send any command can read it: libre readers --supported"
    case .anotherPersonsSensor: "read it again with --person NAME, or with --mine if it is yours"
    }
  }
}
