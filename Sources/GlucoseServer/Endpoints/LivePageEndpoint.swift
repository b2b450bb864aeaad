// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import LibreDocuments
import LibreKit
import SampleStore
import SensorHistory
import TextFormats

/// `/`, the page, and `/live`, the parts of it that change (GlucoseServer/LivePageAndMetrics, "The page").
struct LivePageEndpoint: Endpoint {
  var clock = WallClock.local

  func answer(_ request: ServerRequest, _ context: ServerContext) throws(StoreError) -> ServerAnswer? {
    let isWhole = request.path.isEmpty
    guard request.pathExtension == nil, isWhole || request.path == ["live"] else { return nil }
    let page = LivePage(view: try view(request, context))
    return ServerAnswer(
      contentType: "text/html; charset=utf-8", headers: [LivePage.policy.header, Self.fresh, Self.referrer],
      body: Array((isWhole ? page.html : page.parts).utf8))
  }

  /// The page's age texts are those of the moment at which it was made.
  static let fresh = (name: "Cache-Control", value: "no-store")
  /// The address of the page may hold a token.
  static let referrer = (name: "Referrer-Policy", value: "no-referrer")

  /// The longest curve, and the longest day that there is.
  private static let keptMinutes = 25 * 60

  private func view(_ request: ServerRequest, _ context: ServerContext) throws(StoreError) -> LiveView {
    let hours = request["hours"].flatMap { Int($0) }.flatMap { LiveView.spans.contains($0) ? $0 : nil }
    return LiveView(
      snapshot: context.snapshot, glucose: try context.glucose(from: context.now.adding(minutes: -Self.keptMinutes)),
      now: context.now, unit: context.unit(of: request), hours: hours ?? 6, clock: clock)
  }
}

extension ServerContext {
  /// The unit that a request asks for, else that of the server.
  func unit(of request: ServerRequest) -> GlucoseUnit { request["unit"].flatMap { GlucoseUnit(rawValue: $0) } ?? unit }

  /// The values from a moment on, newest first, also where the snapshot begins later.
  func glucose(from start: Instant) throws(StoreError) -> [ServedGlucose] {
    let kept = snapshot.glucose.prefix { $0.time >= start }
    guard let first = snapshot.completeFrom, first > start else { return Array(kept) }
    return try kept + older(start, first.adding(seconds: -1), Self.mostOlder)
  }

  /// A minute value each for longer than a day.
  private static let mostOlder = 2_000
}

/// A Content-Security-Policy (GlucoseServer/LivePageAndMetrics, "Policy").
struct ContentPolicy {
  /// The style element's text, or nil for a page whose elements have style attributes too, which no hash covers.
  let style: String?
  let script: String

  var header: (name: String, value: String) {
    let styles = style.map(Self.hash) ?? "'unsafe-inline'"
    return (
      "Content-Security-Policy",
      "default-src 'none'; style-src \(styles); script-src \(Self.hash(script)); connect-src 'self'; img-src data:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
  }

  private static func hash(_ text: String) -> String {
    "'sha256-\(Base64Text.encoded(HashFunction.sha256.digest(of: Array(text.utf8))))'"
  }
}

/// `/report`, the page that `libre report` writes, and `/latest.json`, the document of `libre latest --json`.
struct StoreEndpoint: Endpoint {
  func answer(_ request: ServerRequest, _ context: ServerContext) throws(StoreError) -> ServerAnswer? {
    guard let store = context.store else { return nil }
    return switch (request.path, request.pathExtension) {
    case (["report"], nil), (["report"], "html"): try report(request, context, store)
    case (["latest"], "json"): try latest(context, store)
    default: nil
    }
  }

  /// Report of the last 14 days, or of the number of days in `days`, up to 90.
  private func report(
    _ request: ServerRequest, _ context: ServerContext, _ store: StoreReads
  ) throws(StoreError) -> ServerAnswer {
    let days = request["days"].flatMap { Int($0) }.map { min(max($0, 1), 90) } ?? StatisticsByDay.minimumDays
    let from = context.now.adding(days: -days)
    let history: GlucoseHistory
    do {
      history = try store.history(from, context.now)
    } catch .missing {
      return .problem(404, "Not Found", "the store of this server has no value yet")
    }
    let content = history.content(from: from, to: context.now, unit: context.unit(of: request), madeAt: context.now)
    // The page's bars have style attributes.
    let policy = ContentPolicy(style: nil, script: ReportPage.script)
    return ServerAnswer(
      contentType: "text/html; charset=utf-8",
      headers: [policy.header, LivePageEndpoint.fresh, LivePageEndpoint.referrer],
      body: Array(ReportPage(content).html.utf8))
  }

  private func latest(_ context: ServerContext, _ store: StoreReads) throws(StoreError) -> ServerAnswer {
    var answer: ServerAnswer
    do {
      let latest = try store.latest(context.now)
      answer = .json { LatestJSON.write(latest, to: &$0) }
    } catch .noValue, .missing {
      // A client over a network must not learn the path of the store.
      let error = StoreError.noValue(path: "of this server")
      answer = .json(status: 404) { ErrorJSON.write(.store(error), path: nil, to: &$0) }
    }
    answer.headers.append(LivePageEndpoint.fresh)
    return answer
  }
}
