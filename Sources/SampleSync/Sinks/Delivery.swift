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

package enum Verdict: Hashable, Sendable {
  /// Delivered. `duplicates`: number of entries that the receiver already had; nil if it does not report it.
  case accepted(duplicates: Int?)
  /// Temporarily unavailable. `after`: wait that the receiver requests, in seconds.
  case unavailable(reason: String, after: Int?)
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
  /// Wrong address, certificate, or a redirect to another host: there was no answer.
  case misdirected(reason: String)
  /// There was no request.
  case libraryMissing(name: String, package: String)

  /// A missing answer counts as the answer "unavailable".
  package init(_ error: DeliveryError) {
    self =
      switch error {
      case .unavailable(let reason): .unavailable(reason: reason, after: nil)
      case .refused(let reason): .refused(reason: reason)
      case .misdirected(let reason): .misdirected(reason: reason)
      case .libraryMissing(let name, let package): .libraryMissing(name: name, package: package)
      }
  }
}

package enum DeliveryError: Error, Hashable, Sendable {
  /// No connection, a timeout, or an answer that was cut off: the delivery may or may not have arrived.
  case unavailable(reason: String)
  /// Wrong address, certificate, or a redirect to another host: trying again would not help.
  case misdirected(reason: String)
  case refused(reason: String)
  /// libcurl is missing on this machine, or in this build.
  case libraryMissing(name: String, package: String)
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
