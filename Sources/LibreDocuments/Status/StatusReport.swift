// SPDX-License-Identifier: Apache-2.0
package import SampleSync
package import SensorHistory

/// State of readers, sensor, store and sinks, for `libre status`.
package struct StatusReport: Sendable {
  package let at: Instant
  package let storePath: String
  /// Number of sensors; nil without a readable store.
  package let sensors: Int?
  package let storeError: LibreError?
  package let sensor: SensorCondition?
  package let latest: LatestValue?
  package let sinks: [SinkView]
  package let alerts: [AlertView]
  /// Files with readings that were kept aside because they could not be stored, and are not in a store yet.
  package let keptAside: [String]
  /// Readers; nil if they were not asked.
  package let readers: ReaderSurvey?

  /// Reads the store and the configuration, never a network.
  package init(
    storePath: String, setups: SinkSetups, environment: [String: String], ignoring sources: Set<String>,
    alerts: [AlertView], keptAside: [String] = [], now: Instant, readers: ReaderSurvey?
  ) throws(LibreError) {
    at = now
    (self.storePath, self.readers) = (storePath, readers)
    let opened = Result { () throws(LibreError) in try StoreFile.openIfPresent(storePath) }
    let store = (try? opened.get()) ?? nil
    storeError = if case .failure(let error) = opened { error } else { nil }
    let all = try libre(store?.sensors())
    sensors = all?.count
    sensor = all?.first.map { SensorCondition($0.latestWear?.facts ?? WearFacts($0.identity), now: now) }
    do throws(StoreError) {
      latest = try store?.newestValue(now: now, calibration: .factory, ignoring: sources)
    } catch .noValue {
      latest = nil
    } catch {
      throw .store(error)
    }
    (self.alerts, self.keptAside) = (alerts, keptAside)
    sinks = try SinkView.all(setups, path: storeError == nil ? storePath : nil, environment: environment, now: now)
  }

  package var readersAvailability: Availability {
    guard let readers else { return .pending }
    return readers.readers.contains { $0.iso15693 != .no } ? .enabled : .unavailable
  }
}
