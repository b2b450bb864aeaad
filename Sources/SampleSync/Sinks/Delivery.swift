// SPDX-License-Identifier: Apache-2.0

/// Data that a sink sends for a batch: it arrives as a whole, or the batch is sent again.
package enum Delivery: Hashable, Sendable {
  case http(HTTPRequest)
  case mqtt([MQTTMessage])
  case lines([UInt8])
  /// Samples for a receiver that a program has itself.
  case samples([SentSample])
}

package enum DeliveryRoute: Sendable {
  case http
  /// The broker, created with a client id: no two connections may have the same one.
  case mqtt(@Sendable (_ clientID: String) -> MQTTBroker)
  /// Path of the file; nil for standard output.
  case lines(file: String?)
  /// A receiver of the program, with its own courier.
  case receiver
}

extension DeliveryRoute {
  /// The route for a second connection: a broker closes the first of two with one client id, also of one that the user chose.
  func beside(_ name: String) -> DeliveryRoute {
    guard case .mqtt(let make) = self else { return self }
    return .mqtt { id in
      var broker = make(id)
      broker.clientID += "-\(name)"
      return broker
    }
  }
}

/// The outcome of a delivery. It is thrown, and never `accepted`, if a receiver did not answer or a preparation failed.
package enum Verdict: Error, Hashable, Sendable {
  /// Delivered. `duplicates`: number of entries that the receiver already had; nil if it does not report it.
  case accepted(duplicates: Int?)
  /// Temporarily unavailable, or no connection, a timeout, or an answer that was cut off: then the delivery may have
  /// arrived. `after`: wait that the receiver requests, in seconds.
  case unavailable(reason: String, after: Int? = nil)
  /// Too large as a whole; half of it may be accepted.
  case tooLarge(reason: String)
  /// Invalid content, with the receiver's reason. The same bytes are never sent again.
  case rejected(reason: String)
  /// The receiver denies writing, or the address is wrong: the sink stops at once.
  case refused(reason: String)
  /// The receiver rejects the secret, or requires one that is not configured: the sink stops at once.
  case unauthorized(reason: String)
  /// Session data, such as an expired token, is no longer valid: prepare again, once.
  case sessionEnded(reason: String)
  /// Wrong address, certificate, or a redirect to another host: there was no answer, and trying again would not help.
  case misdirected(reason: String)
  /// libcurl is missing on this machine, or in this build: there was no request.
  case libraryMissing(name: String, package: String)

  /// Reason in words; empty for `accepted`.
  package var words: String {
    switch self {
    case .accepted: ""
    case .unavailable(let reason, _), .tooLarge(let reason), .rejected(let reason), .refused(let reason),
      .unauthorized(let reason), .sessionEnded(let reason), .misdirected(let reason):
      reason
    case .libraryMissing(let name, _): "\(name) is not installed"
    }
  }
}

/// A message to a broker, delivered at least once (QoS 1).
package struct MQTTMessage: Hashable, Sendable {
  package let topic: String
  package let payload: [UInt8]
  /// True if the broker keeps it for later subscribers, in place of the topic's previous one.
  package let isRetained: Bool

  package var text: String {
    "\(topic)\(isRetained ? " (retained)" : "")\n\(String(decoding: payload, as: UTF8.self))\n"
  }
}
