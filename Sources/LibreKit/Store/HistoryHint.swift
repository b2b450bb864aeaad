// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
package import SampleStore

extension SensorStore {
  package func hint(nothingFoundBy query: HistoryQuery) throws(StoreError) -> String {
    if let anchor = query.after {
      let removed = try changes(after: anchor).removed.count
      if removed == 0 { return "nothing has changed since that anchor" }
      return "nothing was added since that anchor, and \(removed) \(removed == 1 ? "value was" : "values were") removed"
    }
    let own = try newestSample(of: query.scope, rings: query.rings, isUsable: false)?.time
    let imported = try newestImport(of: query.scope, rings: query.rings)
    let newest = [own, imported].compactMap(\.self).max()
    let undated = try undatedSamples(of: query.scope)
    let span = [query.from.map { "since \(LocalTime.text($0))" }, query.to.map { "until \(LocalTime.text($0))" }]
      .compactMap(\.self).joined(separator: " ")
    var words = "no samples\(span.isEmpty ? "" : " \(span)")"
    if let newest { words += "; the newest is from \(LocalTime.text(newest))" }
    if undated > 0 { words += "; \(undated) have no time, because their sensor was never read at a known time" }
    return words
  }
}
