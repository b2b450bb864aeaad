// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import HostSystem

package enum StoreError: ExplainedError, SQLiteError, StoreFailure {
  case missing(path: String)
  case cannotOpen(path: String, words: String)
  case readOnly(path: String)
  case busy(path: String)
  case diskFull(path: String)
  /// The disk became full after a part of the input was stored, which was listed.
  case diskFullAfterPart(path: String)
  case corrupt(path: String, words: String)
  /// The disk has failed to move the log into the store's file. Everything is in the log.
  case logKept(path: String, words: String)
  /// Another program has the store open that is to be replaced by a new file.
  case isOpen(path: String, process: Int32?)
  case notAStore(path: String)
  /// A store whose tables, indices and triggers are not those that libre creates, with the first that differs.
  case foreignSchema(path: String, words: String)
  /// Created by a development version of libre before 0.1.0.
  case earlierSchema(path: String)
  case newerSchema(path: String, found: Int, known: Int)
  case notInThisBuild
  case database(path: String, words: String)
  case sensorUnknown
  case minutesEstimated
  case noValue(path: String)
  /// No sensor matches this name. Names and anchors are stored in a form that is safe to show.
  case noSuchSensor(String)
  case noSuchSource(String, known: [String])
  case ambiguousSensor(String, [String])
  case noSuchWear(Int)
  /// A single value that does not exist, described in words.
  case noSuchEntry(String)
  case noSuchImport(Int, known: [Int])
  case nothingToCalibrateWith
  /// The finger-sticks need an impossible correction: slope and offset in mg/dL, formatted.
  case correctionTooLarge(slope: String, offset: String)
  case noUserCalibration
  case neverDated
  case startIsProvisional
  case badAnchor(String)
  case impossibleActivation(Instant)

  package init(_ failure: SQLiteFailure, path: String) {
    self =
      switch failure.reason {
      case .busy: .busy(path: path)
      case .cannotOpen: .cannotOpen(path: path, words: failure.words)
      case .corrupt: .corrupt(path: path, words: failure.words)
      case .diskFull: .diskFull(path: path)
      case .isOpen(let process): .isOpen(path: path, process: process)
      case .notADatabase: .notAStore(path: path)
      case .notInThisBuild: .notInThisBuild
      case .readOnly: .readOnly(path: path)
      case .other: .database(path: path, words: failure.words)
      }
  }

  package init(_ error: StoreError) { self = error }

  package enum Culprit: Hashable, Sendable {
    case disk, request, data
    /// Something that was asked for and does not exist.
    case absence
  }

  package var culprit: Culprit {
    switch self {
    case .cannotOpen, .readOnly, .busy, .diskFull, .diskFullAfterPart, .corrupt, .logKept, .isOpen, .notAStore,
      .foreignSchema, .earlierSchema, .newerSchema, .notInThisBuild, .database:
      .disk
    case .missing, .noValue, .noSuchSensor, .noSuchSource, .noSuchWear, .noSuchEntry, .noSuchImport: .absence
    case .ambiguousSensor, .badAnchor, .impossibleActivation: .request
    case .sensorUnknown, .minutesEstimated, .nothingToCalibrateWith, .correctionTooLarge,
      .noUserCalibration, .neverDated, .startIsProvisional:
      .data
    }
  }

  package var explanation: (code: String, message: String) {
    switch self {
    case .missing(let path): ("no_store", "the store \(path) does not exist: nothing has been read or imported yet")
    case .cannotOpen(let path, let words): ("store_cannot_open", "the store \(path) cannot be opened: \(words)")
    case .readOnly(let path): ("store_read_only", "the store \(path) is read-only, so nothing was stored")
    case .busy(let path): ("store_busy", "another program has been writing to the store \(path) for ten seconds")
    case .diskFull(let path):
      ("disk_full", "the disk of the store \(path) is full, so nothing was stored; existing data is safe")
    case .diskFullAfterPart(let path):
      ("disk_full", "the disk of the store \(path) is full; what is listed above was stored")
    case .corrupt(let path, let words): ("store_corrupt", "the store \(path) is damaged: \(words)")
    case .logKept(let path, let words):
      (
        "store_log_kept",
        "the disk failed while \(path)-wal was written back into the store: \(words). Nothing is lost: everything is in \(path)-wal, and the next command that writes to the store makes a new file of both"
      )
    case .isOpen(let path, let process):
      (
        "store_is_open",
        "another program has the store \(path) open\(process.map { ", process \($0)" } ?? "")"
      )
    case .notAStore(let path): ("not_a_store", "\(path) is not a store of libre")
    case .foreignSchema(let path, let words):
      ("not_a_store", "\(path) is not a store of libre, or it is damaged: \(words)")
    case .earlierSchema(let path):
      ("earlier_store", "the store \(path) was made by a development version of libre before 0.1.0")
    case .newerSchema(let path, let found, let known):
      (
        "newer_store",
        "the store \(path) was made by a later libre (schema \(found); this version supports up to \(known))"
      )
    case .notInThisBuild: ("no_sqlite", "this build of libre has no store: it was built without SQLite")
    case .database(let path, let words): ("store_failed", "the store \(path) failed: \(words)")
    case .sensorUnknown:
      (
        "sensor_unknown",
        "the sensor of these samples is unknown: the UID is missing, and so is an intact header and footer"
      )
    case .minutesEstimated:
      (
        "minutes_estimated",
        "the ring indices are missing: the samples' minutes are estimates, which the store does not accept"
      )
    case .noValue(let path): ("no_value", "the store \(path) has no usable glucose value yet")
    case .noSuchSensor(let text):
      ("no_such_sensor", "no sensor in the store has a UID, serial number or fingerprint that begins with \(text)")
    case .noSuchSource(let name, _): ("no_such_source", "the store has no values from the source \(name)")
    case .ambiguousSensor(let text, let names):
      ("ambiguous_sensor", "several sensors begin with \(text): \(names.joined(separator: ", "))")
    case .noSuchWear(let number): ("no_such_wear", "the sensor has no wear \(number)")
    case .noSuchEntry(let words): ("no_such_entry", "the store has no \(words)")
    case .noSuchImport(let number, let known):
      (
        "no_such_import",
        known.isEmpty
          ? "import \(number) does not exist: nothing was imported"
          : "import \(number) does not exist; the store has \(known.map(String.init).joined(separator: ", "))"
      )
    case .nothingToCalibrateWith:
      ("nothing_to_calibrate_with", "no finger-stick was measured within eight minutes of a usable sensor value")
    case .correctionTooLarge(let slope, let offset):
      (
        "correction_too_large",
        "the finger-sticks need slope \(slope) and offset \(offset) mg/dL, outside 0.7 to 1.3 and -60 to 60 mg/dL: a finger-stick is wrong, or the sensor is defective"
      )
    case .noUserCalibration: ("no_user_calibration", "no sensor in the store has a calibration of your own")
    case .neverDated: ("never_dated", "the start of the sensor is unknown: none of its scans has a time")
    case .startIsProvisional:
      (
        "start_is_provisional",
        "the sensor's read time is known only from a file's modification time, so finger-sticks cannot be compared with it"
      )
    case .badAnchor(let text): ("bad_anchor", "invalid anchor \(text): not issued by this store")
    case .impossibleActivation(let instant):
      ("impossible_activation", "no sensor can have been started at \(instant.rfc3339)")
    }
  }
}

/// An error that can contain a `StoreError`: thrown by work inside a transaction, a snapshot or a query.
package protocol StoreFailure: Error {
  init(_ error: StoreError)
}

extension SensorStore {
  package func attempt<Value, Failure: StoreFailure>(
    _ work: @autoclosure () throws(StoreError) -> Value, or _: Failure.Type
  ) throws(Failure) -> Value {
    do throws(StoreError) { return try work() } catch { throw Failure(error) }
  }
}
