// SPDX-License-Identifier: Apache-2.0
public import CGMModel
package import SQLiteAccess

/// Reason for a failure of the store: the disk, the file, or an invalid request.
public enum StoreError: ExplainedError {
  /// The store does not exist yet.
  case missing(path: String)
  /// The store cannot be opened or created, with SQLite's message.
  case cannotOpen(path: String, words: String)
  /// The store can be read but not written.
  case readOnly(path: String)
  /// Another process has been writing for longer than the timeout.
  case busy(path: String)
  case diskFull(path: String)
  /// The disk became full after a part of the input was stored, which was listed.
  case diskFullAfterPart(path: String)
  /// The file is damaged, with SQLite's message.
  case corrupt(path: String, words: String)
  /// A file or a database of another program.
  case notAStore(path: String)
  /// A store whose tables, indices and triggers are not those that libre creates, with the first that differs.
  case foreignSchema(path: String, words: String)
  /// Created by a development version of libre before 0.1.0.
  case earlierSchema(path: String)
  /// Created by a later version of libre.
  case newerSchema(path: String, found: Int, known: Int)
  /// This build has no SQLite.
  case notInThisBuild
  /// Any other error of SQLite.
  case database(path: String, words: String)
  /// The reading has neither a UID nor a fingerprint, so its sensor is unknown.
  case sensorUnknown
  /// The ring indices are missing, so the minutes of its samples are unknown.
  case minutesEstimated
  /// No stored value may be shown as a value.
  case noValue(path: String)
  /// No sensor matches this name. Names and anchors are stored in a form that is safe to show.
  case noSuchSensor(String)
  /// No stored value is from this source; with the known sources.
  case noSuchSource(String, known: [String])
  /// Several sensors' names begin with this text.
  case ambiguousSensor(String, [String])
  /// The sensor has no wear with this number.
  case noSuchWear(Int)
  /// A single value that does not exist, described in words.
  case noSuchEntry(String)
  /// No import has this number; with the existing numbers.
  case noSuchImport(Int, known: [Int])
  /// No finger-stick was measured close to a usable value of the sensor.
  case nothingToCalibrateWith
  /// The finger-sticks need an impossible correction: slope and offset in mg/dL, formatted.
  case correctionTooLarge(slope: String, offset: String)
  /// No sensor in the store has a user calibration.
  case noUserCalibration
  /// No scan of the sensor has a time.
  case neverDated
  /// Finger-sticks cannot be compared with times that are known only from a file's modification time.
  case startIsProvisional
  /// The anchor was not issued by this store.
  case badAnchor(String)
  /// No sensor can have been started at this time.
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
  /// 74 for disk and store, 66 for missing data, 64 for an invalid request, 65 for data that cannot be stored.
  public var exitStatus: Int32 {
    switch self {
    case .cannotOpen, .readOnly, .busy, .diskFull, .diskFullAfterPart, .corrupt, .notAStore, .foreignSchema,
      .earlierSchema, .newerSchema, .notInThisBuild, .database:
      74
    case .missing, .noValue, .noSuchSensor, .noSuchSource, .noSuchWear, .noSuchEntry, .noSuchImport: 66
    case .ambiguousSensor, .badAnchor, .impossibleActivation: 64
    case .sensorUnknown, .minutesEstimated, .nothingToCalibrateWith, .correctionTooLarge,
      .noUserCalibration, .neverDated, .startIsProvisional:
      65
    }
  }

  private static func recovery(of path: String) -> String {
    "sqlite.org's sqlite3 (not Debian 12's) recovers readable data: sqlite3 \(path) .recover | sqlite3 new.sqlite, then libre store merge new.sqlite"
  }

  public var explanation: ErrorExplanation {
    switch self {
    case .missing(let path):
      ErrorExplanation(
        "no_store", "the store \(path) does not exist: nothing has been read or imported yet",
        "libre read, or libre import FILE for saved dumps and other programs' histories")
    case .cannotOpen(let path, let words):
      ErrorExplanation(
        "store_cannot_open", "the store \(path) cannot be opened: \(words)",
        "run ls -ld on its folder; --store names another file")
    case .readOnly(let path):
      ErrorExplanation(
        "store_read_only", "the store \(path) is read-only, so nothing was stored",
        "run ls -l on it and on its folder; --store names another file")
    case .busy(let path):
      ErrorExplanation(
        "store_busy", "another program has been writing to the store \(path) for ten seconds",
        "try again; fuser \(path) shows the program")
    case .diskFull(let path):
      ErrorExplanation(
        "disk_full", "the disk of the store \(path) is full, so nothing was stored; existing data is safe",
        "free some space (df -h shows it) and run the command again, or choose another disk with --store")
    case .diskFullAfterPart(let path):
      ErrorExplanation(
        "disk_full", "the disk of the store \(path) is full; what is listed above was stored",
        "free some space (df -h shows it) and run the command again: what is stored is not stored twice")
    case .corrupt(let path, let words):
      ErrorExplanation(
        "store_corrupt", "the store \(path) is damaged: \(words)",
        "keep a copy; \(Self.recovery(of: path))")
    case .notAStore(let path):
      ErrorExplanation("not_a_store", "\(path) is not a store of libre", "check --store and LIBRE_STORE")
    case .foreignSchema(let path, let words):
      ErrorExplanation(
        "not_a_store", "\(path) is not a store of libre, or it is damaged: \(words)",
        "check --store and LIBRE_STORE. If it is your store, use a copy that libre store backup made, or keep a copy of this one; \(Self.recovery(of: path))"
      )
    case .earlierSchema(let path):
      ErrorExplanation(
        "earlier_store", "the store \(path) was made by a development version of libre before 0.1.0",
        "with that version: libre export --format ndjson --ring all --from all --out history.ndjson; move the store away; then libre import history.ndjson"
      )
    case .newerSchema(let path, let found, let known):
      ErrorExplanation(
        "newer_store",
        "the store \(path) was made by a later libre (schema \(found); this version supports up to \(known))",
        "use the later libre; this version does not change the file")
    case .notInThisBuild:
      ErrorExplanation(
        "no_sqlite", "this build of libre has no store: it was built without SQLite",
        "build it with the trait SQLite; libre decode works without a store")
    case .database(let path, let words):
      ErrorExplanation("store_failed", "the store \(path) failed: \(words)", "libre store check searches for damage")
    case .sensorUnknown:
      ErrorExplanation(
        "sensor_unknown",
        "the sensor of these samples is unknown: the UID is missing, and so is an intact header and footer",
        "give the UID with --uid")
    case .minutesEstimated:
      ErrorExplanation(
        "minutes_estimated",
        "the ring indices are missing: the samples' minutes are estimates, which the store does not accept",
        "read the sensor again")
    case .noValue(let path):
      ErrorExplanation(
        "no_value", "the store \(path) has no usable glucose value yet",
        "libre read; libre history --from all shows flagged samples too")
    case .noSuchSensor(let text):
      ErrorExplanation(
        "no_such_sensor",
        "no sensor in the store has a UID, serial number or fingerprint that begins with \(text)",
        "libre sensors lists them")
    case .noSuchSource(let name, let known):
      ErrorExplanation(
        "no_such_source", "the store has no values from the source \(name)",
        "--source accepts \(known.joined(separator: ", "))")
    case .ambiguousSensor(let text, let names):
      ErrorExplanation(
        "ambiguous_sensor", "several sensors begin with \(text): \(names.joined(separator: ", "))",
        "type more characters")
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
          ? "import \(number) does not exist: nothing was imported"
          : "import \(number) does not exist; the store has \(known.map(String.init).joined(separator: ", "))",
        "libre imports lists them")
    case .nothingToCalibrateWith:
      ErrorExplanation(
        "nothing_to_calibrate_with", "no finger-stick was measured within eight minutes of a usable sensor value",
        "libre add 104 right after a reading, then calibrate again")
    case .correctionTooLarge(let slope, let offset):
      ErrorExplanation(
        "correction_too_large",
        "the finger-sticks need slope \(slope) and offset \(offset) mg/dL, outside 0.7 to 1.3 and -60 to 60 mg/dL: a finger-stick is wrong, or the sensor is defective",
        "measure again with washed hands and remove wrong finger-sticks with libre add --remove ID; --force keeps the correction, limited"
      )
    case .noUserCalibration:
      ErrorExplanation(
        "no_user_calibration", "no sensor in the store has a calibration of your own",
        "libre add VALUE after a finger-stick, then libre calibrate; or leave --calibration user out")
    case .neverDated:
      ErrorExplanation(
        "never_dated", "the start of the sensor is unknown: none of its scans has a time",
        "give the start with --at TIME, or import a dump with --read-at TIME")
    case .startIsProvisional:
      ErrorExplanation(
        "start_is_provisional",
        "the sensor's read time is known only from a file's modification time, so finger-sticks cannot be compared with it",
        "libre sensor reanchor --at TIME, with the time when the sensor was started; or import a dump with --read-at TIME"
      )
    case .badAnchor(let text):
      ErrorExplanation(
        "bad_anchor", "invalid anchor \(text): not issued by this store",
        "leave out --after to start over; the output ends with a new anchor")
    case .impossibleActivation(let instant):
      ErrorExplanation(
        "impossible_activation", "no sensor can have been started at \(instant.rfc3339)",
        "write the time as 2024-05-02T10:15:00Z"
      )
    }
  }
}
