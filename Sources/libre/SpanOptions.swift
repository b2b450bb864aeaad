// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import LibreKit
import SampleStore

/// From when to when.
struct SpanOptions: ParsableArguments {
  // A time may begin with a minus, as no option's value usually does.
  @Option(parsing: .unconditional, help: ArgumentHelp("Not before: \(TimeArgument.forms), or all.", valueName: "time"))
  var from: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Not after; as --from.", valueName: "time"))
  var to: String?

  /// The ends, with `standard` for a beginning that is not given. nil is no limit.
  ///
  /// Throws `configuration(badOption)` for text that is no time.
  func ends(now: Instant, standard: Instant?) throws(LibreError) -> (from: Instant?, to: Instant?) {
    var ends = (from: standard, to: Instant?.none)
    if let from { ends.from = try TimeArgument(from, of: "--from", now: now).first }
    if let to { ends.to = try TimeArgument(to, of: "--to", now: now).last }
    if let first = ends.from, let last = ends.to, first > last, from != nil {
      throw .configuration(.badOption(name: "--to", value: to ?? "", allowed: "a time after --from \(from ?? "")"))
    }
    return ends
  }

  /// Where numbers about a stretch end: what is still to come is not missing, nor is what comes after the last value of
  /// everything that there is.
  func end(of ends: (from: Instant?, to: Instant?), now: Instant) -> Instant? {
    ends.from == nil && ends.to == nil ? nil : min(ends.to ?? now, now)
  }
}

/// Which ring.
struct RingOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("Samples of which ring: history, trend or all.", valueName: "ring"),
    completion: .list(["history", "trend", "all"]))
  var ring = "history"

  func validate() throws {
    guard ring == "all" || SampleRing(rawValue: ring) != nil else {
      throw ValidationError("--ring \(ring) is no ring. Try: history, trend or all")
    }
  }

  var rings: Set<SampleRing> {
    ring == "all" ? Set(SampleRing.allCases) : Set([SampleRing(rawValue: ring)].compactMap(\.self))
  }
}

/// Which values of the timeline.
struct TimelineOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      CalibrationEntry.help, valueName: "model"), completion: .calibrations)
  var calibration: String?

  func validate() throws {
    if let calibration, CalibrationChoice(calibration) == nil {
      throw ValidationError("--calibration \(calibration) is none. Try: \(CalibrationEntry.usages)")
    }
  }

  /// What the option says, else the setting.
  func calibration(_ session: Session) -> CalibrationChoice {
    CalibrationChoice(calibration ?? session.configuration[.calibration].text) ?? .factory
  }

  /// The same for values of a store.
  ///
  /// Reports where one's own calibration is wanted and the sensor in use has none, so that its values are the factory's.
  /// - Throws: `store(noUserCalibration)` where it is asked for here and no sensor has one.
  func calibration(_ session: Session, in store: SensorStore) throws -> CalibrationChoice {
    let choice = calibration(session)
    guard case .user = choice else { return choice }
    let sensors = try store.sensors()
    let hasOne = sensors.contains { $0.wears.contains { $0.userCalibration != nil } }
    if !hasOne, calibration != nil { throw LibreError.store(.noUserCalibration) }
    let newest = sensors.filter { $0.latestWear?.lastReadAt != nil }.max {
      ($0.latestWear?.lastReadAt?.secondsSince1970 ?? 0) < ($1.latestWear?.lastReadAt?.secondsSince1970 ?? 0)
    }
    if let newest, newest.latestWear?.userCalibration == nil, !session.isQuiet {
      Session.tell(
        "libre: the sensor \(newest.identity.serial ?? newest.identity.uid?.description ?? "in use") has no calibration of your own: its values are the factory's\n  Try: libre add VALUE after a finger-stick, then libre calibrate\n"
      )
    }
    return choice
  }
}

extension Session {
  /// Imported sources that history and statistics leave out.
  var ignoredSources: Set<String> {
    let names = configuration[.ignoreSources].text.split(separator: ",").map { name in
      String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    return Set(names.filter { !$0.isEmpty })
  }
}
