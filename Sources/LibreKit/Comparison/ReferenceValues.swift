// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import GlucoseReport
public import HistoryFormats
public import SampleStore

/// What sensors are held against: values of somebody else, at known times.
public struct ReferenceValues: Sendable {
  public let name: String
  /// In the order of time.
  public let points: [GlucosePoint]
}

extension ReferenceValues {
  /// All values in files that `libre import` reads, as one reference. What is wrong with a file is told to `failed`, and
  /// the others are read.
  public static func read(
    _ paths: [String], options: ImportOptions, from: Instant?, to: Instant?,
    failed: @escaping (_ path: String, _ error: LibreError) -> Void
  ) throws(LibreError) -> ReferenceValues {
    let store = try StoreFile.openInMemory()
    let importer = Importer(into: store, decoder: DumpDecoder(), options: options) { event throws(LibreError) in
      switch event {
      case .failed(let path, _, let error): failed(path, error)
      case .done, .storing: break
      }
    }
    for path in paths { try importer.add(path) }
    try importer.finish()
    return try store.attempt(
      store.importedReferences(named: paths.joined(separator: ", "), from: from, to: to), or: LibreError.self)
  }
}

extension SensorStore {
  /// True if a correction of the user's own is kept for any sensor.
  public func hasUserCalibration() throws(StoreError) -> Bool {
    try !userCalibrations().isEmpty
  }

  /// The finger-sticks between two moments, both within; nil is no limit.
  public func fingerSticks(from: Instant?, to: Instant?) throws(StoreError) -> ReferenceValues {
    try references(named: "finger-sticks", rings: [], from: from, to: to)
  }

  /// All that was imported into this store, finger-sticks among it. A value that stands for one outside what its program
  /// shows is none.
  func importedReferences(named name: String, from: Instant?, to: Instant?) throws(StoreError) -> ReferenceValues {
    try references(named: name, rings: Set(SampleRing.allCases), from: from, to: to)
  }

  private func references(
    named name: String, rings: Set<SampleRing>, from: Instant?, to: Instant?
  ) throws(StoreError) -> ReferenceValues {
    var query = HistoryQuery()
    query.rings = rings
    query.includesFingerSticks = true
    (query.from, query.to) = (from, to)
    query.isNewestFirst = false
    var points: [GlucosePoint] = []
    try forEachEntry(query, withIDs: false) { entry in
      switch entry {
      case .sensor: break
      case .imported(let imported):
        if imported.bound == nil {
          points.append(GlucosePoint(time: imported.time, concentration: imported.concentration))
        }
      case .fingerStick(let stick):
        points.append(GlucosePoint(time: stick.time, concentration: stick.concentration))
      }
      return true
    }
    return ReferenceValues(name: name, points: points)
  }

  /// Holds the store's usable values against a reference, by each of the calibrations. Those of the sensors count, unless
  /// `scope` names imported sources.
  ///
  /// A reference value and the sensors' nearest one are a pair, if they are at most `minutes` apart. Of two that are
  /// equally near the earlier counts, and of one minute the trend's.
  public func comparison(
    with reference: ReferenceValues, calibrations: [(name: String, choice: CalibrationChoice)], within minutes: Int,
    of scope: HistoryScope = HistoryScope()
  ) throws(StoreError) -> Comparison {
    var models: [Comparison.Model] = []
    for (name, choice) in calibrations {
      let values = try points(around: reference, calibration: choice, within: minutes, of: scope)
      models.append(Comparison.Model(name: name, pairs: reference.pairs(with: values, within: minutes)))
    }
    return Comparison(reference: reference.name, referenceCount: reference.points.count, models: models)
  }

  /// In the order of time; of one minute the trend's first.
  private func points(
    around reference: ReferenceValues, calibration: CalibrationChoice, within minutes: Int, of scope: HistoryScope
  ) throws(StoreError) -> [GlucosePoint] {
    guard let first = reference.points.first, let last = reference.points.last else { return [] }
    var query = HistoryQuery()
    query.rings = Set(SampleRing.allCases)
    query.from = first.time.adding(minutes: -minutes)
    query.to = last.time.adding(minutes: minutes)
    query.scope = scope
    query.scope.sources = scope.sources ?? []
    query.isNewestFirst = false
    var points: [(point: GlucosePoint, isHistory: Bool)] = []
    try forEachEntry(query, calibration: calibration, withIDs: false) { entry in
      // A sensor without a correction of the user's own says nothing of what that is worth.
      if case .user = calibration, case .sensor(let stored) = entry, stored.calibration?.isFactory == true {
        return true
      }
      let ring: SampleRing?
      switch entry {
      case .sensor(let stored): ring = stored.sample.ring
      case .imported(let imported): ring = imported.bound == nil ? imported.ring : nil
      case .fingerStick: ring = nil
      }
      if let ring, let time = entry.time, let value = entry.usableConcentration {
        points.append((GlucosePoint(time: time, concentration: value), ring == .history))
      }
      return true
    }
    return points.sorted { ($0.point.time, $0.isHistory ? 1 : 0) < ($1.point.time, $1.isHistory ? 1 : 0) }.map(\.point)
  }
}

extension ReferenceValues {
  /// `values` are in the order of time.
  func pairs(with values: [GlucosePoint], within minutes: Int) -> [GlucosePair] {
    var next = 0
    return points.compactMap { reference in
      // The first that is not before the reference; both are in order, so it never goes back.
      while next < values.count, values[next].time < reference.time { next += 1 }
      let before = values[..<next].last.map { earlier in
        // Of several of that minute the first, which is the trend's.
        var index = next - 1
        while index > 0, values[index - 1].time == earlier.time { index -= 1 }
        return values[index]
      }
      let candidates = [before, next < values.count ? values[next] : nil].compactMap(\.self)
      let nearest = candidates.min { $0.distance(to: reference) < $1.distance(to: reference) }
      guard let nearest, nearest.distance(to: reference) <= Int64(minutes) * 60 else { return nil }
      return GlucosePair(time: reference.time, reference: reference.concentration, sensor: nearest.concentration)
    }
  }
}

extension GlucosePoint {
  fileprivate func distance(to other: GlucosePoint) -> Int64 {
    abs(time.secondsSince1970 - other.time.secondsSince1970)
  }
}
