// SPDX-License-Identifier: Apache-2.0
import SampleStore

/// Lists of Nightscout that are always empty here: pumps, phones and treatment profiles are not known. Clients ask for them
/// beside the values, and report an error if the address is not there.
struct EmptyListsEndpoint: Endpoint {
  private static let paths: Set = [
    ["devicestatus"], ["profile"], ["profile", "current"], ["profiles"], ["activity"], ["food"],
  ]

  func answer(_ request: ServerRequest, _ context: ServerContext) -> ServerAnswer? {
    let api = request.api
    guard api.isFirstOrSecond, Self.paths.contains(api.parts) else { return nil }
    return ServerAnswer.records([]).revalidated(for: request)
  }
}
