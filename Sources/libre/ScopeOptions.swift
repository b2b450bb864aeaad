// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LibreKit
import SampleStore

/// The options that choose sensors and sources.
struct ScopeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only this sensor, by UID or serial or the beginning of one; may be repeated.", valueName: "sensor"),
    completion: .sensors)
  var sensor: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only this source: the name under which values were imported, such as libreview, or \(HistoryScope.ownSource) for values that libre read; may be repeated.",
      valueName: "name"),
    completion: .sources)
  var source: [String] = []

  /// False if all sensors and sources are chosen.
  var isUsed: Bool { !sensor.isEmpty || !source.isEmpty }

  /// The scope of the named sensors and sources; without names, all but the ignored sources.
  ///
  /// - Throws: `noSuchSensor`, `ambiguousSensor` or `noSuchSource`.
  func scope(in store: SensorStore, ignoring ignoredSources: Set<String> = []) throws(StoreError) -> HistoryScope {
    var sensors: Set<StoredSensor.ID> = []
    for name in sensor { sensors.insert(try store.chosenWear(of: name, wear: nil).sensor.id) }
    return try store.scope(sensors: sensors, sources: Set(source), ignoring: ignoredSources)
  }
}
