// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LibreKit
import SampleStore

/// The options that choose sensors and sources.
struct ScopeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "One sensor alone, by UID or serial or the beginning of one; may be repeated.", valueName: "sensor"),
    completion: .sensors)
  var sensor: [String] = []

  @Option(
    help: ArgumentHelp(
      "One source alone: the name under which values were imported, such as libreview, or \(HistoryScope.ownSource) for what libre read; may be repeated.",
      valueName: "name"),
    completion: .sources)
  var source: [String] = []

  /// False if everybody's values are wanted.
  var isUsed: Bool { !sensor.isEmpty || !source.isEmpty }

  /// The values of any of the sensors and sources that are named; without a name everybody's but the ignored sources'.
  ///
  /// - Throws: `noSuchSensor`, `ambiguousSensor` or `noSuchSource`.
  func scope(in store: SensorStore, ignoring ignoredSources: Set<String> = []) throws(StoreError) -> HistoryScope {
    var sensors: Set<StoredSensor.ID> = []
    for name in sensor { sensors.insert(try store.chosenWear(of: name, wear: nil).sensor.id) }
    return try store.scope(sensors: sensors, sources: Set(source), ignoring: ignoredSources)
  }
}
