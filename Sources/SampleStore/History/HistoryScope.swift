// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// Selects values by the sensors that libre read and by the imported sources. The empty scope selects all values.
package struct HistoryScope: Hashable, Sendable {
  /// Name of the source for libre's own measurements, next to the names of imported sources.
  package static let ownSource = "libre"

  /// nil selects all sensors.
  package var sensors: Set<StoredSensor.ID>?
  /// Sources of imported values and finger-sticks; nil selects all. A typed finger-stick belongs to `ownSource`.
  package var sources: Set<String>?
  /// Sources whose imported samples are excluded.
  package var ignoredSources: Set<String>

  package init(sensors: Set<StoredSensor.ID>? = nil, sources: Set<String>? = nil, ignoredSources: Set<String> = []) {
    (self.sensors, self.sources, self.ignoredSources) = (sensors, sources, ignoredSources)
  }

  /// Selects one sensor and no imported values.
  package init(of sensor: StoredSensor.ID) { self.init(sensors: [sensor], sources: []) }

  package var includesSensors: Bool { sensors?.isEmpty != true }

  var includesSources: Bool { sources?.isEmpty != true }

  func condition(onSensor column: String) -> String {
    sensors.map { " AND \(column) IN (\($0.map { String($0.row) }.sorted().joined(separator: ", ")))" } ?? ""
  }

  /// Returns ` AND …` for an expression with an imported value's source, and appends its bound values.
  func condition(onSource column: String, isIgnoring: Bool = true, _ values: inout [SQLiteValue]) -> String {
    var condition = ""
    func list(_ names: Set<String>) -> String {
      names.sorted().map { name in
        values.append(.text(name))
        return "?\(values.count)"
      }.joined(separator: ", ")
    }
    if let sources { condition += " AND \(column) IN (\(list(sources)))" }
    if isIgnoring, !ignoredSources.isEmpty { condition += " AND \(column) NOT IN (\(list(ignoredSources)))" }
    return condition
  }
}

extension SensorStore {
  /// The sources of imported values, finger-sticks and blood pressures, and `ownSource`, in alphabetical order.
  package func sources() throws(StoreError) -> [String] {
    try statement("SELECT source FROM entry WHERE source IS NOT NULL UNION SELECT ? ORDER BY 1")
      .all(.text(HistoryScope.ownSource)) { $0.textOrNil(0) ?? "" }
  }

  /// Returns the scope for names of sources: `ownSource` selects every sensor. `sensors` may narrow or widen
  /// it; without both it selects everything.
  /// - Throws: `noSuchSource` with the known names.
  package func scope(
    sensors: Set<StoredSensor.ID>, sources: Set<String>, ignoring ignoredSources: Set<String>
  ) throws(StoreError) -> HistoryScope {
    if sensors.isEmpty, sources.isEmpty { return HistoryScope(ignoredSources: ignoredSources) }
    if !sources.isEmpty {
      let known = try self.sources()
      if let unknown = sources.subtracting(known).min() { throw .noSuchSource(unknown, known: known) }
    }
    // An explicitly named source is not ignored.
    let isOwn = sources.contains(HistoryScope.ownSource)
    return HistoryScope(sensors: isOwn && sensors.isEmpty ? nil : sensors, sources: sources)
  }
}
