// SPDX-License-Identifier: Apache-2.0
package import GlucoseReport
import HostSystem

package struct GlucoseHistory: Sendable {
  package let clock: WallClock
  /// One per quarter of an hour.
  package private(set) var quarters = QuarterHours()
  /// Points by the minute since 1970, for pictures only: in statistics the minutes around a scan would count too much.
  private var trend: [Int64: (point: GlucosePoint, isOwn: Bool)] = [:]
  /// Finger-sticks, in the order of time, for pictures only: statistics are about the sensor.
  package private(set) var fingerSticks: [FingerStick] = []
  private var sources: [ReportContent.Sensor] = []
  private var positions: [ValueSource: Int] = [:]
  private var last: (source: ValueSource, position: Int)?
  private(set) var calibrations: Set<String> = []
  private var lastCalibration: String?
  private(set) var leftOut = 0
  /// The number of usable samples that do not count, because another sensor of the person counts at that time.
  package private(set) var superseded = 0
  /// The number of samples of sensors that were never read at a known time.
  package private(set) var undated = 0
  /// The number of values of which each quarter of an hour counts one.
  private(set) var candidates = 0
  package var files = HistoryProvenance.FileFacts()
  /// The reason why some of the times may be wrong.
  package fileprivate(set) var doubt: StartDoubt?
  /// The reason why usable values are not counted, for whoever shows numbers; nil if nothing was looked for or found.
  package var overlap: HistoryOverlap?

  init(clock: WallClock) { self.clock = clock }

  package var points: [GlucosePoint] {
    trend.isEmpty ? quarters.points : (quarters.points + trend.values.map(\.point)).sorted { $0.time < $1.time }
  }

  package var sparklinePoints: [GlucosePoint] {
    Sparkline.points(history: quarters.points, trend: trend.values.map(\.point))
  }

  package var isEmpty: Bool { trend.isEmpty && quarters.isEmpty }

  var sensors: [ReportContent.Sensor] {
    sources.sorted { ($0.from ?? .firstSensor, $0.name) < ($1.from ?? .firstSensor, $1.name) }
  }

  /// Adds an entry; finger-sticks must come in the order of time.
  mutating func add(_ entry: HistoryEntry) {
    guard let concentration = entry.usableConcentration else { return leftOut += 1 }
    guard let time = entry.time else { return undated += 1 }
    func addTrend(isOwn: Bool) {
      let minute = time.secondsSince1970 / 60
      if let known = trend[minute], known.isOwn || !isOwn { return }
      trend[minute] = (GlucosePoint(time: time, concentration: concentration), isOwn)
    }
    switch entry {
    case .sensor(let stored):
      if stored.supersededBy != nil {
        superseded += 1
        // Its sensor is listed, and its time belongs to the sensor's.
        if stored.sample.ring == .trend { return }
        count(time, of: .sensor(stored.sensor, wear: stored.wear)) {
          SensorNames.title(stored.sensor, wear: stored.wear)
        }
        return quarters.add(entry)
      }
      if let calibration = stored.calibration?.model, calibration != lastCalibration {
        calibrations.insert(calibration)
        lastCalibration = calibration
      }
      if stored.sample.ring == .trend { return addTrend(isOwn: true) }
      count(time, of: .sensor(stored.sensor, wear: stored.wear)) { SensorNames.title(stored.sensor, wear: stored.wear) }
    case .imported(let imported):
      if imported.ring == .trend { return addTrend(isOwn: false) }
      count(time, of: .imported(source: imported.source, device: imported.device)) { SensorNames.title(imported) }
    case .fingerStick(let stick): return fingerSticks.append(stick)
    case .bloodPressure: return
    }
    candidates += 1
    quarters.add(entry)
  }

  private mutating func count(_ time: Instant, of source: ValueSource, name: () -> String) {
    let position = position(of: source, name: name)
    let known = sources[position]
    sources[position] = ReportContent.Sensor(
      name: known.name, from: min(known.from ?? time, time), to: max(known.to ?? time, time), count: known.count + 1)
  }

  private mutating func position(of source: ValueSource, name: () -> String) -> Int {
    if let last, last.source == source { return last.position }
    let position = positions[source] ?? sources.count
    if position == sources.count {
      positions[source] = position
      sources.append(ReportContent.Sensor(name: name(), from: nil, to: nil, count: 0))
    }
    last = (source, position)
    return position
  }
}

extension SensorStore {
  /// The history between two times, inclusive; nil means unlimited. Finger-sticks are wanted for pictures only.
  package func glucoseHistory(
    from: Instant?, to: Instant?, rings: Set<SampleRing> = [.history], includesFingerSticks: Bool = false,
    calibration: CalibrationChoice = .factory, of scope: HistoryScope = HistoryScope()
  ) throws(StoreError) -> GlucoseHistory {
    var query = HistoryQuery(rings: rings, from: from, to: to, of: scope, isNewestFirst: false)
    query.includesFingerSticks = includesFingerSticks
    query.marksSuperseded = true
    var history = GlucoseHistory(clock: .local)
    let doubts = try doubts()
    try forEachEntry(query, calibration: calibration) { entry in
      if !doubts.isEmpty, case .sensor(let stored) = entry, stored.sample.time != nil,
        let doubt = doubts[stored.sensor]?[stored.wear]
      {
        history.doubt = doubt
      }
      history.add(entry)
      return true
    }
    return history
  }

  /// The samples of the sensor that was never read at a known time, with times by its own clock; nil without such a sensor.
  /// - Throws: `report(undatedSensors)` if there are several, or `store`.
  package func undatedHistory(
    rings: Set<SampleRing> = [.history], calibration: CalibrationChoice = .factory,
    of scope: HistoryScope = HistoryScope()
  ) throws(LibreError) -> GlucoseHistory? {
    let query = HistoryQuery(rings: rings, of: scope, isNewestFirst: false)
    var history = GlucoseHistory(clock: .sensorAge)
    var wears: Set<ValueSource> = []
    try forEachEntry(query, calibration: calibration) { entry throws(LibreError) in
      guard case .sensor(var stored) = entry, stored.sample.time == nil else { return true }
      wears.insert(.sensor(stored.sensor, wear: stored.wear))
      stored.sample.time = Instant(secondsSince1970: 0).adding(minutes: stored.sample.minute.value)
      history.add(.sensor(stored))
      return true
    }
    guard wears.count <= 1 else { throw .report(.undatedSensors(count: wears.count)) }
    return wears.isEmpty ? nil : history
  }
}

extension WallClock {
  package static var local: WallClock { WallClock(LocalTime.clock) }
}
