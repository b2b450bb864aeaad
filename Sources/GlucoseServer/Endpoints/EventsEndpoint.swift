// SPDX-License-Identifier: Apache-2.0
import SampleStore

/// `/events`, the changes of the store as server-sent events.
struct EventsEndpoint: Endpoint {
  func answer(_ request: ServerRequest, _ context: ServerContext) throws(StoreError) -> ServerAnswer? {
    guard request.path == ["events"], request.pathExtension == nil else { return nil }
    return ServerAnswer(
      contentType: "text/event-stream; charset=utf-8",
      // The last one is for nginx, which would hold events back.
      headers: [LivePageEndpoint.fresh, (name: "X-Accel-Buffering", value: "no")],
      body: GlucoseEvents.first(
        of: context.snapshot, now: context.now, lastEventID: request.headers["last-event-id"]),
      updates: ServerUpdates(keepAlive: GlucoseEvents.keepAlive, bytes: GlucoseEvents.changes))
  }
}
