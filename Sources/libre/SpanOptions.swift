// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import HostSystem
import LibreKit
import SampleStore

struct SpanOptions: ParsableArguments {
  // A time may begin with a minus, as no option's value usually does.
  @Option(parsing: .unconditional, help: .value("time", "Start of the range: \(TimeArgument.forms), or all."))
  var from: String?

  @Option(
    parsing: .unconditional,
    help: .value("time", "End of the range, in the same forms; a date includes its whole day."))
  var to: String?

  @Option(parsing: .unconditional, help: .hidden)
  var until: String?

  var isUsed: Bool { from != nil || to != nil || until != nil }

  /// The limits of the range, with `standard` as its start without `--from`; nil means unlimited.
  func ends(now: Instant, standard: Instant?) throws(LibreError) -> (from: Instant?, to: Instant?) {
    if to != nil, let until {
      throw .configuration(.badOption(name: "--until", value: until, allowed: "it or --to, which are the same option"))
    }
    var ends = (from: standard, to: Instant?.none)
    if let from { ends.from = try TimeArgument(from, of: "--from", now: now).first }
    let end = to.map { (option: "--to", text: $0) } ?? until.map { (option: "--until", text: $0) }
    if let end { ends.to = try TimeArgument(end.text, of: end.option, now: now).last }
    guard let end, let first = ends.from, let last = ends.to, first > last else { return ends }
    let allowed =
      from.map { "a time after --from \($0)" }
      ?? "--from too: without it the range begins at \(LocalTime.minuteText(first))"
    throw .configuration(.badOption(name: end.option, value: end.text, allowed: allowed))
  }

  /// The end of the range that statistics cover, at most now: future values are not missing. nil without limits.
  func end(of ends: (from: Instant?, to: Instant?), now: Instant) -> Instant? {
    ends.from == nil && ends.to == nil ? nil : min(ends.to ?? now, now)
  }
}

struct RingOption: ParsableArguments {
  @Option(
    help: .value(
      "ring",
      "Which samples of the sensor's memory, which has two rings: history (one value every 15 minutes), trend (one value a minute for the last 16 minutes) or all."
    ),
    completion: .list(["history", "trend", "all"]))
  var ring = "history"

  func validate() throws {
    try check(ring, of: "--ring", allowed: "history, trend or all") { $0 == "all" || SampleRing(rawValue: $0) != nil }
  }

  var rings: Set<SampleRing> { Set(SampleRing.allCases.filter { ring == "all" || ring == $0.rawValue }) }
}

struct ScopeOptions: ParsableArguments {
  @Option(
    help: .value("sensor", "Only this sensor, by UID or serial or the beginning of one; may be repeated."),
    completion: .sensors)
  var sensor: [String] = []

  @Option(
    help: .value(
      "name",
      "Only this source: the name under which values were imported, such as libreview, or \(HistoryScope.ownSource) for values that libre read; may be repeated."
    ),
    completion: .sources)
  var source: [String] = []

  var isUsed: Bool { !sensor.isEmpty || !source.isEmpty }

  /// The scope of the named sensors and sources; without names, all but the ignored sources.
  func scope(in store: SensorStore, ignoring ignoredSources: Set<String> = []) throws(StoreError) -> HistoryScope {
    var sensors: Set<StoredSensor.ID> = []
    for name in sensor { sensors.insert(try store.chosenWear(of: name, wear: nil).sensor.id) }
    return try store.scope(sensors: sensors, sources: Set(source), ignoring: ignoredSources)
  }
}
