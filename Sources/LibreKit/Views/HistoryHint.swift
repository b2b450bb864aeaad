// SPDX-License-Identifier: Apache-2.0
import CGMModel
public import SampleStore

extension SensorStore {
  /// Where a query has found nothing: what there is instead, for a person.
  ///
  /// Throws `LibreError.store`.
  public func hint(nothingFoundBy query: HistoryQuery) throws(LibreError) -> String {
    let (newest, undated) = try libre { store throws(StoreError) in
      let own = try store.newestSample(of: query.sensor, rings: query.rings, isUsable: false)?.time
      let imported =
        query.sensor == nil ? try store.newestImport(rings: query.rings, ignoring: query.ignoredSources) : nil
      let newest = [own, imported].compactMap(\.self).max()
      return (newest, try store.undatedSamples(of: query.sensor))
    }
    let span = [query.from.map { "since \(LocalTime.text($0))" }, query.to.map { "until \(LocalTime.text($0))" }]
      .compactMap(\.self).joined(separator: " ")
    var words = "no samples\(span.isEmpty ? "" : " \(span)")"
    if query.after != nil { words = "nothing has changed since that anchor" }
    if let newest, query.after == nil { words += "; the newest is of \(LocalTime.text(newest))" }
    if undated > 0, query.after == nil {
      words += "; \(undated) have no time, because their sensor was never read at a known time"
    }
    return words
  }
}
