// SPDX-License-Identifier: Apache-2.0

/// What a sink sends for a batch: it arrives as a whole, or the batch is sent again.
public enum Delivery: Hashable, Sendable {
  case http(HTTPRequest)
  /// In this order.
  case mqtt([MQTTMessage])
  /// Lines for a file, or for standard output.
  case lines([UInt8])
}

/// How what a sink sends gets there.
public enum DeliveryRoute: Sendable {
  case http
  /// To the broker that is made with a name for us: no two connections may have the same.
  case mqtt(@Sendable (_ clientID: String) -> MQTTBroker)
  /// nil for standard output.
  case lines(file: String?)
}

/// What an answer means for the batch.
public enum Verdict: Hashable, Sendable {
  /// Delivered. `duplicates` is how many the receiver says it had; nil if it does not say.
  case accepted(duplicates: Int?)
  /// The receiver cannot now. `after` is what it asks for, in seconds.
  case unavailable(reason: String, after: Int?)
  /// Too large as a whole: half of it may go.
  case tooLarge(reason: String)
  /// Something in it is wrong, in the receiver's words. The same bytes are never sent again.
  case rejected(reason: String)
  /// The receiver does not let us write, or the address is wrong: the sink stops at once.
  case refused(reason: String)
  /// The receiver does not accept the secret, or asks for one that is not set up: the sink stops at once.
  case unauthorized(reason: String)
  /// What was learnt for this session does not hold any more (a token that ran out): prepare again, once.
  case sessionEnded(reason: String)
}

/// Why nothing was answered.
public enum DeliveryError: Error, Hashable, Sendable {
  /// No connection, no answer in time, or an answer that was cut off: the receiver may have taken it or not.
  case unavailable(reason: String)
  /// The address, a certificate, or a redirect to another host: trying again would not help.
  case misdirected(reason: String)
  /// The broker does not let us in.
  case refused(reason: String)
  /// libcurl or libmosquitto is not on this machine, or not in this build.
  case libraryMissing(name: String, package: String)
}
