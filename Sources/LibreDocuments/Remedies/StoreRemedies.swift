// SPDX-License-Identifier: Apache-2.0
package import SampleStore
import SensorHistory

extension StoreError: RemediedError {
  package var exitStatus: Int32 {
    switch culprit {
    case .disk: 74
    case .absence: 66
    case .request: 64
    case .data: 65
    }
  }

  package var resolution: String {
    switch self {
    case .missing: "libre read, or libre import FILE for saved dumps and other programs' histories"
    case .cannotOpen: "run ls -ld on its folder; --store names another file"
    case .readOnly: "run ls -l on it and on its folder; --store names another file"
    case .busy(let path): "try again; fuser \(path) shows the program"
    case .diskFull: "free some space (df -h shows it) and run the command again, or choose another disk with --store"
    case .diskFullAfterPart:
      "free some space (df -h shows it) and run the command again: what is stored is not stored twice"
    case .corrupt(let path, _): Self.recovery(of: path)
    case .logKept: "keep both files together; dmesg shows what the disk has reported; libre store backup FILE"
    case .isOpen(let path, let process):
      "\(process.map { "kill \($0) stops it" } ?? "fuser \(path) shows it"); then run the command again"
    case .notAStore: "check --store and LIBRE_STORE; if it was a store, libre store check --repair"
    case .foreignSchema(let path, _):
      "check --store and LIBRE_STORE. If it is your store, use a copy that libre store backup made, or try \(Self.recovery(of: path))"
    case .earlierSchema:
      "with that version: libre export --format ndjson --ring all --from all --out history.ndjson; move the store away; then libre import history.ndjson"
    case .newerSchema: "use the later libre; this version does not change the file"
    case .notInThisBuild: "build it with the trait SQLite; libre decode works without a store"
    case .database: "dmesg shows whether the disk has failed; libre store check searches for damage"
    case .sensorUnknown: "give the UID with --uid"
    case .minutesEstimated: "read the sensor again"
    case .noValue: "libre read; libre history --from all shows flagged samples too"
    case .noSuchSensor: "libre sensors lists them"
    case .noSuchSource(_, let known): "--source accepts \(known.joined(separator: ", "))"
    case .ambiguousSensor: "type more characters"
    case .noSuchWear: "libre sensor show lists them"
    case .noSuchEntry: "libre history --finger-sticks --ring all --json shows the ids"
    case .noSuchImport: "libre imports lists them"
    case .nothingToCalibrateWith: "libre add 104 right after a reading, then calibrate again"
    case .correctionTooLarge:
      "measure again with washed hands and remove wrong finger-sticks with libre add --remove ID; --force keeps the correction, limited"
    case .noUserCalibration:
      "libre add VALUE after a finger-stick, then libre calibrate; or leave --calibration user out"
    case .neverDated: "give the start with --at TIME, or import a dump with --read-at TIME"
    case .startIsProvisional:
      "libre sensor reanchor --at TIME, with the time when the sensor was started; or import a dump with --read-at TIME"
    case .badAnchor: "leave out --after to start over; the output ends with a new anchor"
    case .impossibleActivation: "write the time as 2024-05-02T10:15:00Z"
    }
  }

  private static func recovery(of path: String) -> String {
    "libre store check --repair --store \(path), which keeps the damaged file, too; if dmesg shows errors of the disk, copy the file to another one first"
  }
}

extension PersonError: RemediedError {
  package var exitStatus: Int32 {
    switch self {
    case .noSuchPerson, .badName, .exists, .isUser, .hasSinks, .hasValues: 64
    case .wornMeanwhile, .unclaimed, .belongsTo: 65
    }
  }

  package var resolution: String {
    switch self {
    case .noSuchPerson(let name, let known):
      known.isEmpty ? "libre person add \(Person.isName(name) ? name : "NAME")" : "libre person list"
    case .badName:
      "use at most 64 lower-case letters, digits and -, such as ann; --name \"Ann Example\" is for the full name"
    case .exists: "choose another name, or libre person list"
    case .isUser: "choose the name of another person; libre person list shows them"
    case .hasSinks(let name, let sinks): "libre sink remove \(sinks.first ?? "NAME") --person \(name)"
    case .hasValues(let name, _, _): "libre store backup FILE --person \(name), then libre person remove \(name) --yes"
    case .wornMeanwhile(let sensor, _, _):
      sensor.resolution(mine: sensor.person.name.map { "if \($0) wears both" } ?? "if you wear both")
    case .unclaimed(let sensor): sensor.resolution(mine: "if it is \(sensor.person.possessive)")
    case .belongsTo(let owner, let named):
      "libre sensor give \(named.word) SENSOR, if it was stored for the wrong person; libre sensors --person \(owner.word) lists it"
    }
  }
}

extension UnclaimedSensor {
  /// The commands that say whose it is; `mine` is the condition for the last one.
  fileprivate func resolution(mine: String) -> String {
    let command = "libre \(source.rawValue)\(source == .importing ? " FILE" : "")"
    let words = others.map(\.word)
    let other =
      switch words.count {
      case 0: "libre person add NAME, then \(command) --person NAME, if it is somebody else's"
      case 1: "\(command) --person \(words[0]) if it is \(others[0].possessive)"
      default: "\(command) --person NAME if it belongs to \(words.joined(separator: " or "))"
      }
    return "\(other); \(command) --mine \(mine)"
  }
}

extension ReportError: RemediedError {
  package var exitStatus: Int32 {
    switch self {
    case .undatedSensors, .nothingFound: 65
    case .noConverter, .converterFailed: 69
    }
  }

  package var resolution: String {
    switch self {
    case .nothingFound(_, let resolution): resolution
    case .undatedSensors: "use one file, or give the time of the read with --read-at"
    case .noConverter(_, _, _, let package, let instead):
      "apt-get install \(package), or use \(instead ?? "--out with a name that ends in .html")"
    case .converterFailed(_, let to, _):
      to == "PNG" ? "use --svg" : "use --out with a name that ends in .html, and print it from a browser"
    }
  }
}
