// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Kinds of sinks that speak HTTP, each with its receiver. `SampleSyncTests` have the requests and answers of all kinds.
enum TestedSink: String, CaseIterable, Sendable {
  case nightscout
  case influx
  case webhook

  /// The user's name for it.
  static let name = "one"
  static let variable = "LIBRE_SECRET_ONE"

  /// The kinds whose receiver is there: InfluxDB is a real one.
  static let installed = allCases.filter { $0 != .influx || Installed.has(InfluxServer.path) }

  func receiver(in folder: URL) throws -> any Receiver {
    switch self {
    case .nightscout: NightscoutSite()
    case .influx: try InfluxServer(in: folder)
    case .webhook: WebhookReceiver()
    }
  }

  private var secret: String {
    switch self {
    case .nightscout: NightscoutSite.secret
    case .influx: InfluxServer.secret
    case .webhook: WebhookReceiver.secret
    }
  }

  var environment: [String: String] { [Self.variable: secret] }

  /// Its section of the configuration; `timeout` is in seconds.
  func section(_ url: String, name: String = name, timeout: Int = ampleSeconds) -> String {
    var lines = ["[sinks.\(name)]", "url = \"\(url)\"", "backfill_days = 36500", "timeout_seconds = \(timeout)"]
    switch self {
    case .influx: lines += [#"type = "influx""#, "user = \"\(InfluxServer.user)\""]
    case .nightscout, .webhook: lines.append("type = \"\(rawValue)\"")
    }
    return lines.map { "\($0)\n" }.joined()
  }

  /// A value as the receiver stores it, in its own unit and rounding.
  func received(_ milligramsPerDecilitre: Double) -> Double {
    switch self {
    case .nightscout: max(40, milligramsPerDecilitre.rounded())
    default: milligramsPerDecilitre
    }
  }

  /// Two roundings to four places.
  static let tolerance = 0.001
}

/// Does something with several values at the same time, eight at most: such work waits more than it computes.
func atOnce<Value: Sendable>(_ values: [Value], _ body: @escaping @Sendable (Value) throws -> Void) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    for (index, value) in values.enumerated() {
      if index >= 8 { try await group.next() }
      // Not in the common pool: this work would block its few threads.
      group.addTask(executorPreference: OwnThreads.shared) { try body(value) }
    }
    try await group.waitForAll()
  }
}

/// Expects the receiver to have exactly these values: each at its time, none missing, none twice.
func expectDelivered(
  _ expected: [Sender.Sample], _ receiver: any Receiver, _ sink: TestedSink, _ comment: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let bySeconds = Dictionary(grouping: receiver.held, by: \.seconds)
  let missing = expected.filter { bySeconds[$0.value.seconds] == nil }
  let doubled = bySeconds.values.filter { $0.count > 1 }
  let foreign = Set(bySeconds.keys).subtracting(expected.map(\.value.seconds))
  let wrong = expected.filter { sample in
    let wanted = sink.received(sample.value.milligramsPerDecilitre)
    return bySeconds[sample.value.seconds]?.contains {
      abs($0.milligramsPerDecilitre - wanted) > TestedSink.tolerance
    } ?? false
  }
  let place = "\(sink.rawValue) \(comment)"
  #expect(missing.isEmpty, "\(place): \(missing.count) lost of \(expected.count)", sourceLocation: sourceLocation)
  #expect(doubled.isEmpty, "\(place): doubled \(doubled.prefix(3))", sourceLocation: sourceLocation)
  #expect(foreign.isEmpty, "\(place): not ours \(foreign.prefix(3))", sourceLocation: sourceLocation)
  #expect(wrong.isEmpty, "\(place): other values \(wrong.prefix(3))", sourceLocation: sourceLocation)
}
