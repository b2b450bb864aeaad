// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import Synchronization
import TestSupport

/// A server of a user's own, made after our documentation of the webhook: it checks the signature and does each
/// `Idempotency-Key` once.
final class WebhookReceiver: Receiver {
  static let secret = "hook of a user"

  private struct State {
    var samples: [String: [JSONValue]] = [:]
    var changed: [String] = []
  }

  private let state = Mutex(State())

  /// Keys that came again with other samples: what a receiver that trusts the key would lose.
  var changed: [String] { state.withLock { $0.changed } }
  /// Of all samples that were taken, in any order.
  var ids: [String] { state.withLock { $0.samples.values.flatMap { $0.compactMap { $0["id"].text } } } }

  var held: [HeldValue] {
    state.withLock { state in
      state.samples.values.flatMap { $0 }.compactMap { HeldValue($0["time"].text, $0["glucose_mg_dl"].number) }
    }
  }

  func answer(to request: ReceivedRequest) -> Answer {
    guard Self.isSigned(request) else { return Answer(401, #"{"error":"the signature is wrong"}"#) }
    guard request.method == "POST", let key = request["Idempotency-Key"],
      key.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/) != nil,
      let document = request.json, document["schema"].text == "libre.batch/1"
    else { return Answer(400, #"{"error":"no batch"}"#) }
    let samples = document["samples"].elements
    state.withLock { state in
      if let known = state.samples[key] {
        if known != samples { state.changed.append(key) }
      } else {
        state.samples[key] = samples
      }
    }
    return Answer(202, "")
  }

  /// `libre-signature: t=SECONDS,v1=HEX`, at most five minutes old.
  private static func isSigned(_ request: ReceivedRequest) -> Bool {
    guard let header = request["libre-signature"], let match = header.wholeMatch(of: /t=(\d+),v1=([0-9a-f]{64})/),
      let seconds = Double(match.1), abs(Date().timeIntervalSince1970 - seconds) < 300
    else { return false }
    let message = Array("\(match.1).".utf8) + request.body
    let code = HashFunction.sha256.authenticationCode(of: message, key: Array(secret.utf8))
    return HexText.lowercase(of: code) == String(match.2)
  }
}
