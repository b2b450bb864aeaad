// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport

/// A site of Nightscout, by version 3 of its interface, as read in cgm-remote-monitor 15.0.7: one document a request,
/// kept by its identifier, with a token of a session, until it is deleted.
final class NightscoutV3Site: Receiver {
  static let secret = "libre-0123456789abcdef"

  private struct State {
    var token: String?
    var documents: [String: JSONValue] = [:]
  }

  private let state = Mutex(State())

  var held: [HeldValue] {
    state.withLock { state in
      state.documents.values.map {
        HeldValue(
          seconds: Int(($0["date"].number ?? -1) / 1_000),
          milligramsPerDecilitre: $0["sgv"].number ?? $0["mbg"].number ?? -1)
      }
    }
  }

  func answer(to request: ReceivedRequest) -> Answer {
    state.withLock { state in
      if request.method == "GET", request.path.hasPrefix("/api/v2/authorization/request/") {
        guard request.path.hasSuffix("/\(Self.secret)") else { return Answer(401, #"{"status":401}"#) }
        let token = "jwt.\(UUID().uuidString)"
        state.token = token
        return Answer(200, "{\"token\":\"\(token)\",\"sub\":\"libre\",\"iat\":1,\"exp\":28801}")
      }
      guard let token = state.token, request["Authorization"] == "Bearer \(token)" else {
        return Answer(401, #"{"status":401,"message":"Missing or bad access token or JWT"}"#)
      }
      if request.method == "DELETE" {
        let id = request.path.split(separator: "/").last.map(String.init) ?? ""
        return state.documents.removeValue(forKey: id) == nil ? Answer(404) : Answer(204)
      }
      guard request.method == "POST", request.path == "/api/v3/entries" else {
        return Answer(200, #"{"status":200,"result":{}}"#)
      }
      guard let document = request.json, let date = document["date"].number, date > 946_684_800_000,
        document["app"].text?.isEmpty == false, let id = document["identifier"].text
      else { return Answer(400, #"{"status":400,"message":"Bad or missing date field"}"#) }
      let isKnown = state.documents.updateValue(document, forKey: id) != nil
      return isKnown
        ? Answer(200, "{\"status\":200,\"identifier\":\"\(id)\",\"isDeduplication\":true}")
        : Answer(201, "{\"status\":201,\"identifier\":\"\(id)\",\"lastModified\":1}")
    }
  }
}
