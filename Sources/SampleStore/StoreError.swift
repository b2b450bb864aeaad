// SPDX-License-Identifier: Apache-2.0
public import CGMModel
package import SQLiteAccess

/// Why the store did not take or give something. The culprit is the disk, the file, or what was asked for.
public enum StoreError: ExplainedError {
  /// There is no store yet.
  case missing(path: String)
  /// It cannot be opened or made; SQLite's words.
  case cannotOpen(path: String, words: String)
  /// It may be read but not written.
  case readOnly(path: String)
  /// Another process has been writing for longer than it was waited for.
  case busy(path: String)
  case diskFull(path: String)
  /// The file is damaged; SQLite's words.
  case corrupt(path: String, words: String)
  /// A file, or a database, of another program.
  case notAStore(path: String)
  /// A later version of libre made it.
  case newerSchema(path: String, found: Int, known: Int)
  /// This build has no SQLite.
  case notInThisBuild
  /// Anything else that SQLite says.
  case database(path: String, words: String)
  /// The reading has neither a UID nor a fingerprint: nobody can tell whose samples they are.
  case sensorUnknown
  /// Its ring indices are missing, so that nobody knows at which minute its samples were made.
  case minutesEstimated
  /// It holds no value that may be shown as one.
  case noValue(path: String)
  /// No sensor of this name is in the store. Names and anchors are held as they are to be shown.
  case noSuchSensor(String)
  /// Nothing of this source is in the store, which has these.
  case noSuchSource(String, known: [String])
  /// Several sensors' names begin so.
  case ambiguousSensor(String, [String])
  /// The sensor has no wear of this number.
  case noSuchWear(Int)
  /// A single value that is not there, in words.
  case noSuchEntry(String)
  /// No import has this number; the numbers that there are.
  case noSuchImport(Int, known: [Int])
  /// No finger-stick lies near a usable value of the sensor.
  case nothingToCalibrateWith
  /// The finger-sticks ask for a correction that no sensor needs: slope and offset in mg/dL, as they are shown.
  case correctionTooLarge(slope: String, offset: String)
  /// No sensor in the store has a calibration by the user.
  case noUserCalibration
  /// No scan of the sensor has a time.
  case neverDated
  /// Finger-sticks cannot be held against times that only a file's modification time tells.
  case startIsProvisional
  /// The anchor is not one that this store gave.
  case badAnchor(String)
  /// A time that no sensor can have been started at.
  case impossibleActivation(Instant)
}

extension StoreError: SQLiteError {
  package init(_ failure: SQLiteFailure, path: String) {
    self =
      switch failure.reason {
      case .busy: .busy(path: path)
      case .cannotOpen: .cannotOpen(path: path, words: failure.words)
      case .corrupt: .corrupt(path: path, words: failure.words)
      case .diskFull: .diskFull(path: path)
      case .notADatabase: .notAStore(path: path)
      case .notInThisBuild: .notInThisBuild
      case .readOnly: .readOnly(path: path)
      case .other: .database(path: path, words: failure.words)
      }
  }
}

extension StoreError {
  /// 74 for disk and store, 66 for what is not there, 64 for what was asked wrongly, 65 for what cannot be stored.
  public var exitStatus: Int32 {
    switch self {
    case .cannotOpen, .readOnly, .busy, .diskFull, .corrupt, .notAStore, .newerSchema, .notInThisBuild, .database: 74
    case .missing, .noValue, .noSuchSensor, .noSuchSource, .noSuchWear, .noSuchEntry, .noSuchImport: 66
    case .ambiguousSensor, .badAnchor, .impossibleActivation: 64
    case .sensorUnknown, .minutesEstimated, .nothingToCalibrateWith, .correctionTooLarge,
      .noUserCalibration, .neverDated, .startIsProvisional:
      65
    }
  }

  public var explanation: ErrorExplanation {
    switch self {
    case .missing(let path):
      ErrorExplanation(
        "no_store", "there is no store at \(path): nothing has been read or imported yet",
        "libre read, or libre import FILE for saved dumps and other programs' histories")
    case .cannotOpen(let path, let words):
      ErrorExplanation(
        "store_cannot_open", "the store \(path) cannot be opened: \(words)",
        "run ls -ld on its folder; --store names another place")
    case .readOnly(let path):
      ErrorExplanation(
        "store_read_only", "the store \(path) may not be written to, so nothing was stored",
        "run ls -l on it and on its folder; --store names another place")
    case .busy(let path):
      ErrorExplanation(
        "store_busy", "another program has been writing to the store \(path) for ten seconds",
        "try again; fuser \(path) tells who it is")
    case .diskFull(let path):
      ErrorExplanation(
        "disk_full", "the disk of the store \(path) is full, so nothing was stored; what was there before is safe",
        "free some space (df -h shows how much there is) and run the command again, or name another place with --store")
    case .corrupt(let path, let words):
      ErrorExplanation(
        "store_corrupt", "the store \(path) is damaged: \(words)",
        "keep a copy; sqlite.org's sqlite3 (not Debian 12's) saves what can be read: sqlite3 \(path) .recover | sqlite3 new.sqlite, then libre store merge new.sqlite"
      )
    case .notAStore(let path):
      ErrorExplanation("not_a_store", "\(path) is not a store of libre's", "check --store and LIBRE_STORE")
    case .newerSchema(let path, let found, let known):
      ErrorExplanation(
        "newer_store", "the store \(path) was made by a later libre (schema \(found); this one knows up to \(known))",
        "use the later libre; this one leaves the file as it is")
    case .notInThisBuild:
      ErrorExplanation(
        "no_sqlite", "this build of libre has no store: it was made without SQLite",
        "build it with the trait SQLite; libre decode needs no store")
    case .database(let path, let words):
      ErrorExplanation("store_failed", "the store \(path) failed: \(words)", "libre store check looks for damage")
    case .sensorUnknown:
      ErrorExplanation(
        "sensor_unknown", "neither a UID nor a whole header and footer tell whose samples these are",
        "give the UID with --uid")
    case .minutesEstimated:
      ErrorExplanation(
        "minutes_estimated",
        "its ring indices are missing: the samples' minutes are estimates, which the store does not take",
        "read the sensor again")
    case .noValue(let path):
      ErrorExplanation(
        "no_value", "the store \(path) has no value yet that may be shown as one",
        "libre read; libre history --from all shows flagged samples too")
    case .noSuchSensor(let text):
      ErrorExplanation(
        "no_such_sensor",
        "no sensor in the store has a UID, serial or fingerprint that begins with \(text)",
        "libre sensors lists them")
    case .noSuchSource(let name, let known):
      ErrorExplanation(
        "no_such_source", "nothing in the store is from the source \(name)",
        "--source takes \(known.joined(separator: ", "))")
    case .ambiguousSensor(let text, let names):
      ErrorExplanation(
        "ambiguous_sensor", "\(text) is the beginning of several: \(names.joined(separator: ", "))",
        "write more of it")
    case .noSuchWear(let number):
      ErrorExplanation("no_such_wear", "the sensor has no wear \(number)", "libre sensor show lists them")
    case .noSuchEntry(let words):
      ErrorExplanation(
        "no_such_entry", "the store has no \(words)",
        "libre history --finger-sticks --ring all --json shows the ids")
    case .noSuchImport(let number, let known):
      ErrorExplanation(
        "no_such_import",
        known.isEmpty
          ? "there is no import \(number): nothing was imported"
          : "there is no import \(number); the store has \(known.map(String.init).joined(separator: ", "))",
        "libre imports lists them")
    case .nothingToCalibrateWith:
      ErrorExplanation(
        "nothing_to_calibrate_with", "no finger-stick lies within eight minutes of a usable value of the sensor",
        "libre add 104 right after a reading, then calibrate again")
    case .correctionTooLarge(let slope, let offset):
      ErrorExplanation(
        "correction_too_large",
        "the finger-sticks ask for slope \(slope) and offset \(offset) mg/dL, beyond 0.7 to 1.3 and -60 to 60 mg/dL: a finger-stick is wrong, or the sensor is broken",
        "measure again with washed hands and remove wrong finger-sticks with libre add --remove ID; --force keeps the correction, limited"
      )
    case .noUserCalibration:
      ErrorExplanation(
        "no_user_calibration", "no sensor in the store has a calibration of your own",
        "libre add VALUE after a finger-stick, then libre calibrate; or leave --calibration user out")
    case .neverDated:
      ErrorExplanation(
        "never_dated", "no scan of the sensor has a time that says when it was started",
        "give it: --at TIME; or import a dump with --read-at TIME")
    case .startIsProvisional:
      ErrorExplanation(
        "start_is_provisional",
        "only the modification time of a file tells when the sensor was read, so no finger-stick can be compared with it",
        "libre sensor reanchor --at TIME, with the time when the sensor was started; or import a dump with --read-at TIME"
      )
    case .badAnchor(let text):
      ErrorExplanation(
        "bad_anchor", "\(text) is no anchor of this store",
        "leave --after out to start over; the output ends with a new anchor")
    case .impossibleActivation(let instant):
      ErrorExplanation(
        "impossible_activation", "no sensor was started at \(instant.rfc3339)", "write the time as 2024-05-02T10:15:00Z"
      )
    }
  }
}
