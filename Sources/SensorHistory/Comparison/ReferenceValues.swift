// SPDX-License-Identifier: Apache-2.0
package import GlucoseReport
package import HistoryFormats

package struct ReferenceValues: Sendable {
  /// A meter, a program or the user, who has no name, as the origin of some values.
  package struct Source: Hashable, Sendable {
    package let name: String?
    package let count: Int
  }

  package let name: String
  package let points: [GlucosePoint]
  /// The sources of finger-sticks: typed ones first, then by name; empty for another reference.
  package fileprivate(set) var sources: [Source] = []
}

extension ReferenceValues {
  /// Reads all values in files that `libre import` accepts, as one reference. Errors of a file go to `failed`, and the
  /// other files are still read.
  package static func read(
    _ paths: [String], options: ImportOptions, from: Instant?, to: Instant?,
    failed: @escaping (_ path: String, _ error: LibreError) -> Void
  ) throws(LibreError) -> ReferenceValues {
    let store = try StoreFile.openInMemory()
    let importer = Importer(into: store, decoder: DumpDecoder(), options: options) { event throws(LibreError) in
      switch event {
      case .failed(let path, _, let error): failed(path, error)
      case .done, .checking, .storing: break
      }
    }
    importer.includesScans = false
    for path in paths { try importer.add(path) }
    try importer.finish()
    // Values beyond a measuring limit (LO and HI) are left out.
    return try libre(store.references(named: paths.joined(separator: ", "), rings: .all, from: from, to: to))
  }

  /// Pairs reference values with sensor values, which are in the order of time.
  func pairs(with values: [GlucosePoint], within minutes: Int) -> [GlucosePair] {
    var next = 0
    return points.compactMap { reference in
      func distance(_ point: GlucosePoint) -> Int64 {
        abs(point.time.secondsSince1970 - reference.time.secondsSince1970)
      }
      // The first value not before the reference; both lists are sorted, so `next` only increases.
      while next < values.count, values[next].time < reference.time { next += 1 }
      let before = values[..<next].last.map { earlier in
        // The first value of that minute, which is the trend's.
        var index = next - 1
        while index > 0, values[index - 1].time == earlier.time { index -= 1 }
        return values[index]
      }
      let candidates = [before, next < values.count ? values[next] : nil].compactMap(\.self)
      guard let nearest = candidates.min(by: { distance($0) < distance($1) }), distance(nearest) <= Int64(minutes) * 60
      else { return nil }
      return GlucosePair(time: reference.time, reference: reference.concentration, sensor: nearest.concentration)
    }
  }
}

extension SensorStore {
  package func hasUserCalibration() throws(StoreError) -> Bool { try !userCalibrations().isEmpty }

  /// The finger-sticks between two times, inclusive; nil means unlimited.
  package func fingerSticks(from: Instant?, to: Instant?) throws(StoreError) -> ReferenceValues {
    var counts: [String?: Int] = [:]
    var references = try references(named: "finger-sticks", rings: [], from: from, to: to) { stick in
      counts[stick.source, default: 0] += 1
    }
    references.sources = counts.map { ReferenceValues.Source(name: $0.key, count: $0.value) }
      .sorted { ($0.name ?? "") < ($1.name ?? "") }
    return references
  }

  fileprivate func references(
    named name: String, rings: Set<SampleRing>, from: Instant?, to: Instant?,
    _ fingerStick: (FingerStick) -> Void = { _ in }
  ) throws(StoreError) -> ReferenceValues {
    var query = HistoryQuery(rings: rings, from: from, to: to, isNewestFirst: false)
    query.includesFingerSticks = true
    var points: [GlucosePoint] = []
    try forEachEntry(query) { entry in
      switch entry {
      case .sensor, .bloodPressure: break
      case .imported(let imported):
        if imported.bound == nil {
          points.append(GlucosePoint(time: imported.time, concentration: imported.concentration))
        }
      case .fingerStick(let stick):
        points.append(GlucosePoint(stick))
        fingerStick(stick)
      }
      return true
    }
    return ReferenceValues(name: name, points: points)
  }

  /// Compares the store's usable values with a reference, for each calibration. Only sensor values count, unless
  /// `scope` names imported sources. A reference value and the nearest sensor value form a pair if they are at most
  /// `minutes` apart. Of two equally near values the earlier counts, and within one minute the trend's.
  package func comparison(
    with reference: ReferenceValues, calibrations: [Comparison.Calibration], within minutes: Int,
    of scope: HistoryScope = HistoryScope()
  ) throws(StoreError) -> Comparison {
    var models: [Comparison.Model] = []
    for (name, choice) in calibrations {
      let values = try points(around: reference, calibration: choice, within: minutes, of: scope)
      models.append(Comparison.Model(name: name, pairs: reference.pairs(with: values, within: minutes)))
    }
    return Comparison(
      reference: reference.name, referenceCount: reference.points.count, referenceSources: reference.sources,
      models: models)
  }

  /// Values in the order of time; within one minute the trend's first.
  private func points(
    around reference: ReferenceValues, calibration: CalibrationChoice, within minutes: Int, of scope: HistoryScope
  ) throws(StoreError) -> [GlucosePoint] {
    guard let first = reference.points.first, let last = reference.points.last else { return [] }
    var query = HistoryQuery(
      rings: .all, from: first.time.adding(minutes: -minutes), to: last.time.adding(minutes: minutes), of: scope,
      isNewestFirst: false)
    query.scope.sources = scope.sources ?? []
    var points: [(point: GlucosePoint, isHistory: Bool)] = []
    try forEachEntry(query, calibration: calibration) { entry in
      // Values without a user calibration do not count for its quality.
      if case .user = calibration, case .sensor(let stored) = entry, stored.calibration?.isFactory == true {
        return true
      }
      let ring: SampleRing?
      switch entry {
      case .sensor(let stored): ring = stored.sample.ring
      case .imported(let imported): ring = imported.bound == nil ? imported.ring : nil
      case .fingerStick, .bloodPressure: ring = nil
      }
      if let ring, let time = entry.time, let value = entry.usableConcentration {
        points.append((GlucosePoint(time: time, concentration: value), ring == .history))
      }
      return true
    }
    return points.sorted { ($0.point.time, $0.isHistory ? 1 : 0) < ($1.point.time, $1.isHistory ? 1 : 0) }.map(\.point)
  }
}
