// SPDX-License-Identifier: Apache-2.0
import SampleStore

/// `/metrics`, for Prometheus: OpenMetrics or the classic text format, by the request's `Accept`.
struct MetricsEndpoint: Endpoint {
  func answer(_ request: ServerRequest, _ context: ServerContext) throws(StoreError) -> ServerAnswer? {
    guard request.path == ["metrics"], request.pathExtension == nil else { return nil }
    let format = MetricsFormat(accept: request.headers["accept"])
    let families = GlucoseMetricFamilies(
      snapshot: context.snapshot, now: context.now, requests: context.requests?.all ?? [])
    return ServerAnswer(
      contentType: format.contentType, headers: [LivePageEndpoint.fresh, (name: "Vary", value: "Accept")],
      body: Array(format.text(of: families.all).utf8))
  }
}
