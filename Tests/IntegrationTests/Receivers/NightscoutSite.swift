// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import Synchronization
import TestSupport

/// A site of Nightscout, by version 1 of its interface, as read in cgm-remote-monitor 15.0.7.
///
/// Entries are kept by moment and type. The moment is that of `dateString`, with UTC for one without a zone. Half of
/// the documents are echoed.
final class NightscoutSite: Receiver {
  static let secret = "a long pass phrase"

  private struct Key: Hashable {
    let seconds: Int
    let type: String
  }

  private let entries = Mutex<[Key: JSONValue]>([:])

  var held: [HeldValue] {
    entries.withLock { entries in
      entries.map { key, entry in
        HeldValue(seconds: key.seconds, milligramsPerDecilitre: entry["sgv"].number ?? entry["mbg"].number ?? -1)
      }
    }
  }

  func answer(to request: ReceivedRequest) -> Answer {
    let isKnown = request["api-secret"]?.lowercased() == Self.digest
    switch (request.method, request.path) {
    case ("GET", "/api/v1/verifyauth"):
      let message = isKnown ? "OK" : "UNAUTHORIZED"
      return Answer(
        200,
        "{\"status\":200,\"message\":{\"message\":\"\(message)\",\"isAdmin\":\(isKnown),\"rolefound\":\"NOTFOUND\"}}"
      )
    case ("POST", "/api/v1/entries.json"), ("POST", "/api/v1/entries"):
      guard isKnown else {
        return Answer(401, #"{"status":401,"message":"Unauthorized","description":"Invalid/Missing"}"#)
      }
      return store(request.json?.elements ?? [])
    default: return Answer(404, "<html><body>Cannot \(request.method) here</body></html>")
    }
  }

  private func store(_ documents: [JSONValue]) -> Answer {
    for document in documents {
      // One without a date is passed over in silence.
      guard let date = document["date"].number, let type = document["type"].text else { continue }
      let text = document["dateString"].text ?? ""
      let seconds = HeldValue.seconds(text) ?? HeldValue.seconds(text + "Z") ?? Int(date / 1_000)
      entries.withLock { $0[Key(seconds: seconds, type: type)] = document }
    }
    let echoed = (0..<documents.count / 2).map { "{\"_id\":\"\($0)\"}" }
    return Answer(200, "[\(echoed.joined(separator: ","))]")
  }

  private static let digest = HashFunction.sha1.hex(of: Array(secret.utf8))
}
