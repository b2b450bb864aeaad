// SPDX-License-Identifier: Apache-2.0
public import CGMModel
package import SQLiteAccess

/// Why the store did not take or give something. The culprit is the disk, the file, or what was asked for.
public enum StoreError: Error, Hashable, Sendable {
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
  /// No sensor of this name is in the store.
  case noSuchSensor(String)
  /// Several sensors' names begin so.
  case ambiguousSensor(String, [String])
  /// The sensor has no wear of this number.
  case noSuchWear(Int)
  /// No imported value and no finger-stick has this id.
  case noSuchEntry(String)
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
