// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import LibreKit
package import SampleStore

/// A person on the server: their values, and who may read them. All but the current one have addresses below
/// `/person/NAME`. Whoever asks there for somebody else gets nothing.
package struct ServedPerson: Sendable {
  /// The name in the person's addresses; nil for the current person.
  private let name: String?
  let core: ServerCore
  let feed: SnapshotFeed
  let store: StoredValues

  package init(
    _ name: String?, path: String, calibration: CalibrationChoice, ignoring sources: Set<String>, unit: GlucoseUnit,
    access: AccessRules, now: Instant
  ) throws(StoreError) {
    self.name = name
    core = ServerCore(access: access, unit: unit)
    store = StoredValues(path: path, calibration: calibration, ignoredSources: sources, unit: unit)
    feed = SnapshotFeed(try store.snapshot(now: now))
  }

  /// Publishes what changes in the store until the task is cancelled. `report` gets each new error of reading it once;
  /// until it is gone, the previous snapshot is served.
  package func observe(report: @escaping @Sendable (StoreError) -> Void) async {
    await StoreObserver(store: store, feed: feed, report: report).run()
  }

  /// The beginning of the person's addresses, without a slash at its end: `/person/ann`, or empty.
  package var prefix: String { name.map { "/\(Self.part)/\($0)" } ?? "" }

  private static let part = "person"

  /// A request as one for the person's own addresses; nil if it is not for one of them.
  func own(_ request: ServerRequest) -> ServerRequest? {
    guard let name else { return request.path.first == Self.part ? nil : request }
    guard request.path.starts(with: [Self.part, name]) else { return nil }
    var own = request
    own.path.removeFirst(2)
    return own
  }

  /// The address of the person's page with the slash without which a browser takes its links for those of the current
  /// person; nil for any other address.
  func page(_ request: ServerRequest, target: String) -> String? {
    guard let name, request.path == [Self.part, name], request.pathExtension == nil else { return nil }
    let (path, query) = (target.prefix { $0 != "?" }, target.drop { $0 != "?" })
    return path.hasSuffix("/") ? nil : "\(prefix)/\(query)"
  }
}
