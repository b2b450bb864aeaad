// SPDX-License-Identifier: Apache-2.0
import SQLiteAccess

/// Selects values by the sensors that libre read and by the imported sources. The empty scope selects all values.
public struct HistoryScope: Hashable, Sendable {
  /// The name for what libre measured itself, beside the names of imported sources.
  public static let ownSource = "libre"

  /// These sensors alone; nil for all of them.
  public var sensors: Set<StoredSensor.ID>?
  /// Imported values and finger-sticks of these sources alone; nil for all of them. A finger-stick that was typed is of
  /// `ownSource`.
  public var sources: Set<String>?
  /// Imported samples of these sources are left out.
  public var ignoredSources: Set<String>

  public init(
    sensors: Set<StoredSensor.ID>? = nil, sources: Set<String>? = nil, ignoredSources: Set<String> = []
  ) {
    self.sensors = sensors
    self.sources = sources
    self.ignoredSources = ignoredSources
  }

  /// One sensor, and nothing that was imported.
  public init(of sensor: StoredSensor.ID) { self.init(sensors: [sensor], sources: []) }

  /// False if no sensor's sample is wanted.
  public var includesSensors: Bool { sensors?.isEmpty != true }

  /// False if nothing imported, and no finger-stick, is wanted.
  public var includesSources: Bool { sources?.isEmpty != true }

  /// ` AND …` for a column with the number of a sensor's row; empty for all sensors.
  func condition(onSensor column: String) -> String {
    sensors.map { " AND \(column) IN (\($0.map { String($0.row) }.sorted().joined(separator: ", ")))" } ?? ""
  }

  /// ` AND …` for an expression of imported values' source, whose values are added to those of a statement.
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
  /// The sources of imported values and finger-sticks, and `ownSource`, in alphabetical order.
  public func sources() throws(StoreError) -> [String] {
    let rows = try statement(
      "SELECT source FROM imported UNION SELECT source FROM finger_stick WHERE source IS NOT NULL UNION SELECT ? ORDER BY 1"
    )
    rows.bind([.text(HistoryScope.ownSource)])
    var names: [String] = []
    while try rows.step() { names.append(rows.textOrNil(0) ?? "") }
    return names
  }

  /// The scope that names of sources make: `ownSource` stands for every sensor. `sensors` may narrow or widen it; both
  /// empty is everybody's.
  ///
  /// - Throws: `noSuchSource` with the names that there are.
  public func scope(
    sensors: Set<StoredSensor.ID>, sources: Set<String>, ignoring ignoredSources: Set<String>
  ) throws(StoreError) -> HistoryScope {
    if sensors.isEmpty, sources.isEmpty { return HistoryScope(ignoredSources: ignoredSources) }
    if !sources.isEmpty {
      let known = try self.sources()
      if let unknown = sources.subtracting(known).min() { throw .noSuchSource(unknown, known: known) }
    }
    // A source that is asked for by its name is not ignored.
    let isOwn = sources.contains(HistoryScope.ownSource)
    return HistoryScope(sensors: isOwn && sensors.isEmpty ? nil : sensors, sources: sources)
  }
}
