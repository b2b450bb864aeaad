// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport

/// Vital's endpoints, as far as vital-ios f69a533 shows them. Nothing is known of how it tells doubles: this keeps them
/// all.
final class VitalServer: Receiver {
  static let key = "sk_us_planted"

  private struct State {
    var users: [String: String] = [:]
    var sources: Set<String> = []
    var records: [JSONValue] = []
  }

  private let state = Mutex(State())

  var held: [HeldValue] {
    state.withLock { state in
      state.records.compactMap { HeldValue($0["start_date"].text, $0["value"].number.map { $0 * 18.0182 }) }
    }
  }

  func answer(to request: ReceivedRequest) -> Answer {
    guard request["x-vital-api-key"] == Self.key else { return Answer(401, #"{"detail":"Invalid token"}"#) }
    let parts = request.path.split(separator: "/").map(String.init)
    let json = request.json
    return state.withLock { state in
      switch (request.method, parts.count) {
      case ("POST", 2) where parts == ["v2", "user"]:
        guard let name = json?["client_user_id"].text else { return Answer(422, #"{"detail":[]}"#) }
        if let user = state.users[name] {
          return Answer(
            400,
            """
            {"detail":{"error_type":"INVALID_REQUEST","error_message":"Client user id already exists.",\
            "user_id":"\(user)"}}
            """)
        }
        let user = UUID().uuidString.lowercased()
        state.users[name] = user
        return Answer(200, "{\"user_id\":\"\(user)\",\"client_user_id\":\"\(name)\"}")
      case ("POST", 5) where parts[1...3] == ["link", "provider", "manual"]:
        guard let user = json?["user_id"].text, state.users.values.contains(user) else { return Self.noUser }
        return state.sources.insert("\(parts[4]) \(user)").inserted
          ? Answer(200, #"{"success":true}"#) : Answer(409, #"{"detail":"already connected"}"#)
      case ("POST", 4) where parts[1] == "timeseries" && parts[3] == "glucose":
        guard state.users.values.contains(parts[2]) else { return Self.noUser }
        guard let json, let provider = json["provider"].text, json["stage"].text != nil,
          state.sources.contains("\(provider) \(parts[2])")
        else { return Answer(400, #"{"detail":"source is not connected"}"#) }
        state.records += json["data"].elements
        return Answer(200, #"{"success":true}"#)
      case ("GET", 5): return Answer(200, #"{"groups":{},"next_cursor":null}"#)
      default: return Answer(404, #"{"detail":"Not Found"}"#)
      }
    }
  }

  private static let noUser = Answer(404, #"{"detail":"User not found"}"#)
}
