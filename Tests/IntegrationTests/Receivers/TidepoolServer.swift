// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport

/// Tidepool's log-in, data sets and data, as read in TidepoolApi 2171c09 and platform 0880a3a. Data are kept by
/// `origin.id`.
final class TidepoolServer: Receiver {
  static let user = "ann@example.org"
  static let secret = "tidepool's word"
  private static let account = "a1b2c3d4e5"

  private struct State {
    var token: String?
    var sets: [String: JSONValue] = [:]
    var data: [String: JSONValue] = [:]
  }

  private let state = Mutex(State())

  var held: [HeldValue] {
    state.withLock { state in
      state.data.values.compactMap { HeldValue($0["time"].text, $0["value"].number) }
    }
  }

  func answer(to request: ReceivedRequest) -> Answer {
    let parts = request.path.split(separator: "/").map(String.init)
    return state.withLock { state in
      if parts == ["auth", "login"] {
        guard request["Authorization"] == "Basic " + Data("\(Self.user):\(Self.secret)".utf8).base64EncodedString()
        else { return Answer(401, #"{"code":401,"reason":"No user matched the given details"}"#) }
        let token = UUID().uuidString
        state.token = token
        return Answer(
          200, "{\"userid\":\"\(Self.account)\",\"emailVerified\":true}",
          headers: ["x-tidepool-session-token: \(token)"])
      }
      guard let token = state.token, request["X-Tidepool-Session-Token"] == token else {
        return Answer(401, #"{"code":"unauthenticated","title":"authentication token is invalid"}"#)
      }
      switch (request.method, parts.count) {
      case ("POST", 4) where parts[0...2] == ["v1", "users", Self.account] && parts[3] == "data_sets":
        guard let set = request.json, set["dataSetType"].text == "continuous" else { return Self.invalid }
        let id = "upid_\(state.sets.count)"
        state.sets[id] = set
        return Answer(201, "{\"data\":{\"uploadId\":\"\(id)\"}}")
      case ("POST", 5) where parts[0...2] == ["dataservices", "v1", "datasets"] && parts[4] == "data":
        guard state.sets[parts[3]] != nil else { return Answer(404, #"{"code":"data-set-not-found"}"#) }
        let data = request.json?.elements ?? []
        let ids = data.compactMap { $0["origin"]["id"].text }
        let kinds = ["cbg", "smbg"]
        guard !data.isEmpty, ids.count == data.count, data.allSatisfy({ kinds.contains($0["type"].text ?? "") }) else {
          return Self.invalid
        }
        for (id, datum) in zip(ids, data) { state.data[id] = datum }
        return Answer(200, "{}")
      default: return Answer(404, #"{"code":"not-found"}"#)
      }
    }
  }

  private static let invalid = Answer(400, #"{"code":"value-invalid","source":{"pointer":"/0"}}"#)
}
