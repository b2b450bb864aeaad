// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import LibreDocuments
import LibreKit
import SampleStore
import TextFormats

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
