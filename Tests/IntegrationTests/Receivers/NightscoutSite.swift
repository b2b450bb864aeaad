// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import Synchronization
import TestSupport

/// A site of Nightscout, by version 1 of its interface, as read in cgm-remote-monitor 15.0.7.
///
/// Entries are kept by moment and type. The moment is that of `dateString`, with UTC for one without a zone. Half of
/// the documents are echoed. After a failed authentication every request waits, longer each time, until one succeeds.
final class NightscoutSite: Receiver {
  static let secret = "a long pass phrase"
  /// For the test; a real site waits 5 s.
  private static let step = 0.05

  private struct Key: Hashable {
    let seconds: Int
    let type: String
  }

  private struct State {
    var entries: [Key: JSONValue] = [:]
    var failures = 0
    var delay = 0.0
    var writes = 0
  }

  private let state = Mutex(State())

  /// Failed authentications: each is an alarm for the site's owner.
  var failures: Int { state.withLock { $0.failures } }
  /// The number of writes of documents, including repeated ones.
  var writes: Int { state.withLock { $0.writes } }

  var held: [HeldValue] {
    state.withLock { state in
      state.entries.map { key, entry in
        HeldValue(seconds: key.seconds, milligramsPerDecilitre: entry["sgv"].number ?? entry["mbg"].number ?? -1)
      }
    }
  }

  func answer(to request: ReceivedRequest) -> Answer {
    Thread.sleep(forTimeInterval: state.withLock { $0.delay })
    let isKnown = request["api-secret"]?.lowercased() == Self.digest
    state.withLock { state in
      state.failures += isKnown ? 0 : 1
      state.delay = isKnown ? 0 : state.delay + Self.step
    }
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

  func records(in request: ReceivedRequest) -> Int { request.json?.elements.count ?? 0 }

  private func store(_ entries: [JSONValue]) -> Answer {
    state.withLock { state in
      for entry in entries {
        // One without a date is passed over in silence.
        guard let date = entry["date"].number, let type = entry["type"].text else { continue }
        let text = entry["dateString"].text ?? ""
        let seconds = HeldValue.seconds(text) ?? HeldValue.seconds(text + "Z") ?? Int(date / 1_000)
        state.entries[Key(seconds: seconds, type: type)] = entry
        state.writes += 1
      }
    }
    let echoed = (0..<entries.count / 2).map { "{\"_id\":\"\($0)\"}" }
    return Answer(200, "[\(echoed.joined(separator: ","))]")
  }

  private static let digest = HashFunction.sha1.hex(of: Array(secret.utf8))
}

extension Sequence<UInt8> {
  var hex: String { map { String(format: "%02x", $0) }.joined() }
}
